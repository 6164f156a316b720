import { Dialog } from '#platform/web/ui/dialog.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';

type Props = { userId: number; open: boolean; onClose: () => void };

export function ChangePasswordDialog({ userId, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="修改密码">
      <ChangePasswordForm userId={userId} onDone={onClose} />
    </Dialog>
  );
}
