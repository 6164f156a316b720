import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';

type Popup = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: RefObject<HTMLButtonElement | null>;
};

/** Menu button whose popup code loads on hover or focus; a click or the arrow key opens it. */
export function LazyMenu({
  trigger,
  className,
  label,
  preload,
  children,
}: {
  trigger: ReactNode;
  className: string;
  /** Accessible name, for a trigger without text. */
  label?: string;
  /** Starts loading the code of the popup. */
  preload: () => void;
  children: (popup: Popup) => ReactNode;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // The popup stays mounted after it was first opened, so that its closing animation can run.
  const [hasOpened, setHasOpened] = useState(false);
  const show = (next: boolean) => {
    if (next) setHasOpened(true);
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
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => show(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show(true);
        }}
      >
        {trigger}
      </button>
      {hasOpened ? <Suspense fallback={null}>{children({ open, onOpenChange: show, anchor })}</Suspense> : null}
    </>
  );
}
