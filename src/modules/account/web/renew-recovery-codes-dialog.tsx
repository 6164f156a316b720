import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { totpApi } from '../session.contract.ts';
import { PasswordAndCodeForm } from './password-and-code-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function RenewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[]>();
  return (
    <Dialog open disablePointerDismissal onClose={onClose} title={codes ? '请保存恢复码' : '换一批恢复码'}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <>
          <p className="mb-4 text-14 text-ink-2">换了之后，以前的恢复码全部失效。</p>
          <PasswordAndCodeForm
            action="换一批"
            send={async (input) => {
              const { recovery_code } = await callEndpoint(totpApi.renewCodes, input);
              toast.success('恢复码已更换');
              setCodes(recovery_code);
              await client.invalidateQueries({ queryKey: queryKeyOf(totpApi.status) });
            }}
          />
        </>
      )}
    </Dialog>
  );
}
