import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';

type Popup = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: RefObject<HTMLButtonElement | null>;
};

/** A button whose menu is fetched on the first sign of interest and opened by click or arrow key. */
export function LazyMenu({
  trigger,
  className,
  label,
  prepare,
  children,
}: {
  trigger: ReactNode;
  className: string;
  /** Only when the trigger has no text. */
  label?: string;
  /** Starts loading the popup. */
  prepare: () => void;
  children: (popup: Popup) => ReactNode;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // Once shown the popup stays mounted, so that it can leave with its animation.
  const [wanted, setWanted] = useState(false);
  const show = (next: boolean) => {
    if (next) setWanted(true);
    setOpen(next);
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        className={className}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => show(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show(true);
        }}
      >
        {trigger}
      </button>
      {wanted ? <Suspense fallback={null}>{children({ open, onOpenChange: show, anchor })}</Suspense> : null}
    </>
  );
}
