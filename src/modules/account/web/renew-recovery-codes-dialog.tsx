import { useState } from 'react';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { totpApi } from '../session.contract.ts';
import { PasswordAndCodeForm } from './password-and-code-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function RenewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const renew = useAction(totpApi.renewCodes, {
    success: '恢复码已更换',
    invalidates: [totpApi.status],
    onDone: ({ recovery_code }) => setCodes(recovery_code),
  });
  return (
    <Dialog open disablePointerDismissal onClose={onClose} title={codes ? '请保存恢复码' : '换一批恢复码'}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <>
          <p className="mb-4 text-14 text-ink-2">换了之后，以前的恢复码全部失效。</p>
          <PasswordAndCodeForm action="换一批" send={renew.runOrThrow} />
        </>
      )}
    </Dialog>
  );
}
