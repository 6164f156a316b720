import { Dialog } from '#platform/web/ui/dialog.tsx';
import { PasswordForm } from './password-form.tsx';

type Props = { userId: number; open: boolean; onClose: () => void };

export function PasswordDialog({ userId, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="修改密码">
      <PasswordForm userId={userId} onDone={onClose} />
    </Dialog>
  );
}
