import { Dialog } from '#platform/web/ui/dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { totpApi } from '../session.contract.ts';
import { PasswordAndCodeForm } from './password-and-code-form.tsx';

/** Disabling requires the password and a current code. */
export function DisableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const disable = useAction(totpApi.disable, { success: '两步验证已关闭', invalidates: [totpApi.status] });
  return (
    <Dialog open onClose={onClose} title="关闭两步验证">
      <PasswordAndCodeForm
        action="关闭两步验证"
        send={async (input) => {
          await disable.runOrThrow(input);
          onClose();
        }}
      />
    </Dialog>
  );
}
