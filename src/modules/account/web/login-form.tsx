import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { CaptchaField } from '#modules/captcha/web/captcha-field.tsx';
import { useCaptcha } from '#modules/captcha/web/use-captcha.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { errorMessageOf, useForm } from '#platform/web/use-form.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { type User, userErrors } from '../account.contract.ts';
import { safeRedirect } from './safe-redirect.ts';
import { login } from './session-store.ts';

const EMPTY_FORM = { username: '', password: '', code: '', captcha: '' };

/** Asks for name and password and then, for accounts with two-factor login, for the code. Typed values stay. */
export function LoginForm({ onDone }: { onDone?: (user: User) => void }) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const isHydrated = useHydrated();
  const captcha = useCaptcha('login');
  const [failure, setFailure] = useState('');
  const [requiresCode, setRequiresCode] = useState(false);

  const { values, pending, bind, set, submit } = useForm({
    initial: EMPTY_FORM,
    rules: { captcha: (values) => captcha.problem(values.captcha) },
    send: async ({ username, password, code, captcha: answer }) => {
      setFailure('');
      const user = await login({
        username,
        password,
        ...(requiresCode && { code: code.trim() }),
        ...captcha.fields(answer),
      });
      toast.success('登录成功');
      if (onDone) return onDone(user);
      await navigate(safeRedirect(search.get('redirect')), { replace: true });
    },
    onError: (error) => {
      // The first attempt consumes the captcha, whether the login succeeded or not.
      captcha.refresh();
      set({ captcha: '', code: '' });
      if (userErrors.codeNeeded.is(error) && !requiresCode) return setRequiresCode(true);
      setFailure(errorMessageOf(error) || '登录失败');
    },
  });
  const returnToPassword = () => {
    setRequiresCode(false);
    setFailure('');
    set({ code: '', captcha: '' });
  };

  return (
    // With POST, a submit before the script runs does not put the password into the URL.
    <form method="post" onSubmit={submit}>
      {requiresCode ? (
        <CodeField username={values.username} {...bind('code')} />
      ) : (
        <>
          <Field
            label="用户名"
            autoComplete="username"
            autoCapitalize="none"
            placeholder="用户名或邮箱"
            required
            {...bind('username')}
          />
          <Field
            label="密码"
            type="password"
            autoComplete="current-password"
            placeholder="登录密码"
            required
            {...bind('password')}
          />
        </>
      )}
      <CaptchaField captcha={captcha} {...bind('captcha')} />
      <Notice tone="failure">{failure}</Notice>
      <Button type="submit" size="lg" className="mt-4 w-full" disabled={!isHydrated} pending={pending}>
        登录
      </Button>
      {requiresCode ? (
        <Button variant="quiet" className="mt-2 w-full" onClick={returnToPassword}>
          返回上一步
        </Button>
      ) : null}
    </form>
  );
}

function CodeField({ username, ...rest }: { username: string; name: string }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={frame}>
      <p className="mb-4 text-14 text-ink-2">
        {username}，您的账户开启了两步验证。请输入验证器上的 6 位数字，或一个恢复码。
      </p>
      <Field label="两步验证码" autoComplete="one-time-code" maxLength={32} required {...rest} />
    </div>
  );
}
