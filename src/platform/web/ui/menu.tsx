import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode, RefObject } from 'react';

export type MenuProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens the menu. */
  anchor: RefObject<HTMLElement | null>;
  label: string;
  children: ReactNode;
  align?: 'start' | 'end';
  className?: string;
};

/** Menu below its button. The button is not part of it, so that this code can load lazily. */
export function Menu({ open, onOpenChange, anchor, label, children, align = 'start', className = '' }: MenuProps) {
  return (
    <Base.Root
      open={open}
      modal={false}
      onOpenChange={(next, { event }) => {
        // The button toggles the menu itself, so a click on it must not count as a click outside.
        const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target);
        if (!isOnButton) onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} align={align} sideOffset={8} className="z-40">
          <Base.Popup
            aria-label={label}
            finalFocus={anchor}
            className={`max-h-[calc(100dvh-96px)] origin-(--transform-origin) overflow-y-auto rounded-md border border-line bg-surface p-1.5 shadow-float outline-none transition-[opacity,scale] duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 ${className}`}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const item =
  'flex min-h-10 w-full items-center gap-2.5 rounded-sm px-3 text-14 outline-none select-none data-highlighted:bg-bean-soft data-highlighted:text-bean';

/** `render` replaces the element, for example by a link. */
export function MenuItem({
  render,
  onClick,
  children,
  className = '',
}: {
  render?: ReactElement;
  onClick?: () => void;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Base.Item render={render} onClick={onClick} className={`${item} ${className}`}>
      {children}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1.5 h-px bg-line" />;
}
