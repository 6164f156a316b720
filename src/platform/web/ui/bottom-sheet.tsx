import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

/** Dialog at the bottom of the window, for phones. */
export function BottomSheet({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-50 flex max-h-[75dvh] flex-col rounded-t-lg border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] shadow-float transition-transform duration-200 data-ending-style:translate-y-full data-starting-style:translate-y-full">
          <div className="flex h-14 shrink-0 items-center justify-between pr-2 pl-5">
            <Base.Title className="font-serif text-18 font-bold">{title}</Base.Title>
            <Base.Close aria-label="关闭" className="grid size-10 place-items-center rounded-md text-ink-2">
              <X aria-hidden="true" className="size-5" />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
