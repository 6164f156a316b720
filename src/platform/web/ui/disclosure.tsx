import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

/** Popup list behind a small arrow. It opens without JavaScript; closing on outside click or Escape needs it. */
export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const element = details.current;
    if (!element) return;
    const close = () => {
      element.open = false;
    };
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !element.contains(target)) close();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !element.open) return;
      close();
      element.querySelector('summary')?.focus();
    };
    const onChoice = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a')) close();
    };
    document.addEventListener('pointerdown', onPress);
    element.addEventListener('keydown', onKey);
    element.addEventListener('click', onChoice);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      element.removeEventListener('keydown', onKey);
      element.removeEventListener('click', onChoice);
    };
  }, []);
  return (
    <details ref={details} name="disclosure" className="group/disclosure relative">
      <summary
        aria-label={label}
        title={label}
        className="grid size-10 cursor-pointer list-none place-items-center rounded-md transition-colors hover:bg-bean-soft hover:text-bean md:size-7 [&::-webkit-details-marker]:hidden"
      >
        <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open/disclosure:rotate-180" />
      </summary>
      <div className="absolute top-full left-0 z-20 mt-1 max-h-80 w-max max-w-[70vw] min-w-40 overflow-y-auto rounded-md border border-line bg-surface p-1.5 text-ink shadow-float max-md:-translate-x-1/2">
        {children}
      </div>
    </details>
  );
}
