import { useState } from 'react';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { useForm } from '#platform/web/use-form.ts';
import { totpApi } from '../session.contract.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { passwordAndCodeErrors, validateCodePresent, validatePasswordPresent } from './two-factor-rules.ts';

type Secret = OutputOf<typeof totpApi.begin>;

/** Three steps: the password; the secret and a first code from it; the recovery codes. */
export function EnableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<string[]>();
  return (
    <Dialog open disablePointerDismissal onClose={onClose} title={codes ? '请保存恢复码' : '开启两步验证'}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : secret ? (
        <TwoFactorConfirmStep secret={secret} onConfirmed={setCodes} />
      ) : (
        <TwoFactorPasswordStep onSecret={setSecret} />
      )}
    </Dialog>
  );
}

function TwoFactorPasswordStep({ onSecret }: { onSecret: (secret: Secret) => void }) {
  const begin = useAction(totpApi.begin, { onDone: onSecret });
  const { pending, bind, setFieldErrors, submit } = useForm({
    initial: { password: '' },
    rules: { password: validatePasswordPresent },
    send: begin.runOrThrow,
    onError: (error) => {
      setFieldErrors(passwordAndCodeErrors(error));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <p className="mb-4 text-14 text-ink-2">请先输入登录密码，确认是您本人。</p>
      <Field label="登录密码" type="password" autoComplete="current-password" {...bind('password')} />
      <Button type="submit" className="mt-2 w-full" pending={pending}>
        下一步
      </Button>
    </form>
  );
}

function TwoFactorConfirmStep({
  secret: { secret, qr },
  onConfirmed,
}: {
  secret: Secret;
  onConfirmed: (codes: string[]) => void;
}) {
  const confirm = useAction(totpApi.confirm, {
    success: '两步验证已开启',
    invalidates: [totpApi.status],
    onDone: ({ recovery_code }) => onConfirmed(recovery_code),
  });
  const { pending, bind, set, submit } = useForm({
    initial: { code: '' },
    rules: { code: validateCodePresent },
    send: ({ code }) => confirm.runOrThrow({ code: code.trim() }),
    onError: () => set({ code: '' }),
  });
  return (
    <form onSubmit={submit} noValidate>
      <p className="text-14 text-ink-2">
        用手机上的验证器（如 Google Authenticator、微软验证器）扫描二维码，再输入它显示的 6 位数字。
      </p>
      <div className="my-4 flex flex-wrap items-center gap-4">
        {/* Scanners need the contrast, so the code is dark on white in both themes. */}
        <img src={qr} alt="两步验证的二维码" className="size-40 rounded-md bg-white p-2" />
        <div className="min-w-40 flex-1 text-14">
          <p className="text-ink-2">无法扫描时，手工输入密钥：</p>
          <p data-secret="" className="mt-1 font-mono break-all select-all">
            {secret.match(/.{1,4}/g)?.join(' ')}
          </p>
        </div>
      </div>
      <Field label="两步验证码" inputMode="numeric" autoComplete="one-time-code" maxLength={16} {...bind('code')} />
      <Button type="submit" className="mt-2 w-full" pending={pending}>
        开启
      </Button>
    </form>
  );
}
