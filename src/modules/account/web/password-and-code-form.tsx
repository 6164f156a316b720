import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { useForm } from '#platform/web/use-form.ts';
import { passwordAndCodeErrors, validateCodePresent, validatePasswordPresent } from './two-factor-rules.ts';

type PasswordAndCode = { password: string; code: string };

/** Asks for the password and a two-factor code, which changes of the two-factor login require. */
export function PasswordAndCodeForm({
  action,
  send,
}: {
  action: string;
  /** Reports its own failure. */
  send: (input: PasswordAndCode) => Promise<unknown>;
}) {
  const { pending, bind, setFieldErrors, submit } = useForm({
    initial: { password: '', code: '' },
    rules: { password: validatePasswordPresent, code: validateCodePresent },
    send: ({ password, code }) => send({ password, code: code.trim() }),
    onError: (error) => {
      setFieldErrors(passwordAndCodeErrors(error));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Field label="登录密码" type="password" autoComplete="current-password" {...bind('password')} />
      <Field
        label="两步验证码"
        autoComplete="one-time-code"
        hint="验证器上的 6 位数字，或一个恢复码"
        maxLength={32}
        {...bind('code')}
      />
      <Button type="submit" className="mt-2 w-full" pending={pending}>
        {action}
      </Button>
    </form>
  );
}
