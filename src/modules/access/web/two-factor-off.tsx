import { useQueryClient } from '@tanstack/react-query';
import { totpApi } from '#modules/user/session.contract.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { useForm } from '#platform/web/use-form.ts';
import { codeRule, passwordRule } from './two-factor-rules.ts';

/** Turning it off needs both proofs. */
export function TwoFactorOff({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { pending, bind, submit } = useForm({
    initial: { password: '', code: '' },
    rules: { password: passwordRule, code: codeRule },
    send: async ({ password, code }) => {
      await call(totpApi.disable, { password, code: code.trim() });
      toast.success('两步验证已关闭');
      await client.invalidateQueries({ queryKey: keyOf(totpApi.status) });
      onClose();
    },
    failed: (error) => toast.failure(error, '操作失败'),
  });
  return (
    <Dialog open onClose={onClose} title="关闭两步验证">
      <form onSubmit={submit} noValidate>
        <Field
          label="登录密码"
          type="password"
          autoComplete="current-password"
          {...bind('password')}
        />
        <Field
          label="两步验证码"
          autoComplete="one-time-code"
          hint="验证器上的 6 位数字，或一个恢复码"
          maxLength={32}
          {...bind('code')}
        />
        <Button type="submit" className="mt-2 w-full" pending={pending}>
          关闭两步验证
        </Button>
      </form>
    </Dialog>
  );
}
