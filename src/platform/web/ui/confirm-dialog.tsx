import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** On the button that does it. */
  action: string;
  /** Says itself how it went; the dialog closes either way. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something that cannot simply be taken back. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: Props) {
  const [pending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    await onConfirm();
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      {children}
      <div className="mt-6 flex justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          取消
        </Button>
        <Button variant="danger" pending={pending} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
