import { useQueryClient } from '@tanstack/react-query';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { totpApi } from '../session.contract.ts';
import { PasswordAndCodeForm } from './password-and-code-form.tsx';

/** Disabling requires the password and a current code. */
export function DisableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  return (
    <Dialog open onClose={onClose} title="关闭两步验证">
      <PasswordAndCodeForm
        action="关闭两步验证"
        send={async (input) => {
          await callEndpoint(totpApi.disable, input);
          toast.success('两步验证已关闭');
          await client.invalidateQueries({ queryKey: queryKeyOf(totpApi.status) });
          onClose();
        }}
      />
    </Dialog>
  );
}
