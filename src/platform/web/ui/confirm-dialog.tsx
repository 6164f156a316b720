import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  /** Describes the consequences. */
  children: ReactNode;
  /** Label of the confirming button. */
  action: string;
  /** Reports its own success or failure and must not throw; the dialog closes in both cases. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: Props) {
  const [isPending, setIsPending] = useState(false);
  const confirm = async () => {
    setIsPending(true);
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
        <Button variant="danger" pending={isPending} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
