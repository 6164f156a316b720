import { Dialog } from '#platform/web/ui/dialog.tsx';
import { PasswordForm } from './password-form.tsx';

export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="修改密码">
      <PasswordForm onDone={onClose} />
    </Dialog>
  );
}
