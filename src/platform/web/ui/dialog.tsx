import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

type DialogProps = { open: boolean; onClose: () => void; title: string; children: ReactNode };

const backdrop =
  'fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0';

function CloseButton() {
  return (
    <Base.Close
      aria-label="关闭"
      className="grid size-10 shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:bg-bean-soft hover:text-bean"
    >
      <X aria-hidden="true" className="size-5" />
    </Base.Close>
  );
}

/** Centred dialog. `disablePointerDismissal`: a click outside does not close it. `fitsContent`: as wide as its content. */
export function Dialog({
  open,
  onClose,
  title,
  disablePointerDismissal = false,
  fitsContent = false,
  children,
}: DialogProps & { disablePointerDismissal?: boolean; fitsContent?: boolean }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()} disablePointerDismissal={disablePointerDismissal}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[95%] -translate-1/2 flex-col rounded-lg border border-line bg-surface shadow-float transition-[opacity,scale] data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0 ${fitsContent ? 'md:w-fit md:max-w-[95%]' : 'md:w-130'}`}
        >
          <div className="flex items-center justify-between gap-4 py-3 pr-3 pl-6">
            <Base.Title className="font-serif text-18 font-bold">{title}</Base.Title>
            <CloseButton />
          </div>
          <div className="overflow-y-auto px-6 pb-6">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Panel at the right edge of the window. */
export function Drawer({ open, onClose, title, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          data-drawer=""
          className="fixed inset-y-0 right-0 z-50 flex w-3/5 flex-col bg-surface shadow-float transition-transform duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full"
        >
          <div className="flex h-16 shrink-0 items-center justify-between pr-3 pl-4">
            <Base.Title className="truncate font-serif text-18 font-bold">{title}</Base.Title>
            <CloseButton />
          </div>
          <div className="flex-1 overflow-y-auto px-4 pb-8">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
