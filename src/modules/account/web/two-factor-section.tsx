import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#platform/web/ui/button.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { totpApi } from '../session.contract.ts';
import { DisableTwoFactorDialog } from './disable-two-factor-dialog.tsx';
import { EnableTwoFactorDialog } from './enable-two-factor-dialog.tsx';
import { RenewRecoveryCodesDialog } from './renew-recovery-codes-dialog.tsx';
import { useQueryPerUser } from './use-query-per-user.ts';

export function TwoFactorSection() {
  const status = useQueryPerUser(totpApi.status, {});
  // Not derived from the status: the last step of enabling shows the recovery codes when it is already on.
  const [dialog, setDialog] = useState<'on' | 'off' | 'codes' | null>(null);
  const close = () => setDialog(null);
  const isEnabled = status.data?.enabled ?? false;
  return (
    <section aria-labelledby="two-factor" className="card p-5 md:p-6">
      <h2 id="two-factor" className="flex items-center gap-2 font-serif text-18 font-bold">
        两步验证
        {isEnabled ? (
          <span className="flex items-center gap-1 rounded-sm bg-bean-soft px-2 font-sans text-12 font-normal text-bean">
            <ShieldCheck aria-hidden="true" className="size-3.5" />
            已开启
          </span>
        ) : null}
      </h2>
      <p className="text-13 text-ink-2">
        开启后，登录时除了密码，还要输入手机验证器上的数字。密码泄露了，账户也还安全。
      </p>
      {status.data ? (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant={isEnabled ? 'outline' : 'primary'} onClick={() => setDialog(isEnabled ? 'off' : 'on')}>
            {isEnabled ? '关闭两步验证' : '开启两步验证'}
          </Button>
          {isEnabled ? (
            <>
              <Button variant="outline" onClick={() => setDialog('codes')}>
                换一批恢复码
              </Button>
              <p className="text-13 text-ink-2">还剩 {status.data.recovery_left} 个恢复码</p>
            </>
          ) : null}
        </div>
      ) : (
        <ListPlaceholder query={status} rows={1} />
      )}
      {dialog === 'on' ? <EnableTwoFactorDialog onClose={close} /> : null}
      {dialog === 'off' ? <DisableTwoFactorDialog onClose={close} /> : null}
      {dialog === 'codes' ? <RenewRecoveryCodesDialog onClose={close} /> : null}
    </section>
  );
}
