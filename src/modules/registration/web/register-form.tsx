import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { safeRedirect } from '#modules/access/web/safe-redirect.ts';
import { enter } from '#modules/access/web/session.ts';
import { CaptchaField } from '#modules/captcha/web/captcha-field.tsx';
import { useCaptcha } from '#modules/captcha/web/use-captcha.ts';
import { MIN_PASSWORD } from '#modules/user/user.contract.ts';
import { call } from '#platform/web/api.ts';
import { useHydrated } from '#platform/web/hydrated.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { messageOf, useForm } from '#platform/web/use-form.ts';
import { registrationApi } from '../registration.contract.ts';
import { registerRules } from './register-rules.ts';

const blank = { email: '', username: '', password: '', repeat_password: '', captcha: '' };

/** A new account; afterwards one is logged in and back where one came from. */
export function RegisterForm() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const hydrated = useHydrated();
  const captcha = useCaptcha('register');
  const [failure, setFailure] = useState('');

  const { pending, bind, set, submit } = useForm({
    initial: blank,
    rules: { ...registerRules, captcha: (values) => captcha.problem(values.captcha) },
    send: async ({ email, username, password, captcha: answer }) => {
      setFailure('');
      const input = { email, username, password, ...captcha.fields(answer) };
      await enter(await call(registrationApi.register, input));
      toast.success('注册成功');
      await navigate(safeRedirect(search.get('redirect')), { replace: true });
    },
    failed: (error) => {
      captcha.refresh();
      set({ captcha: '' });
      setFailure(messageOf(error) || '注册失败');
    },
  });

  return (
    <form method="post" onSubmit={submit} noValidate>
      <Field label="邮箱" type="email" autoComplete="email" {...bind('email')} />
      <Field
        label="用户名"
        autoComplete="username"
        autoCapitalize="none"
        hint="3 到 32 个字符，可用中文、字母、数字和 _ - ."
        {...bind('username')}
      />
      <Field
        label="登录密码"
        type="password"
        autoComplete="new-password"
        hint={`至少 ${MIN_PASSWORD} 位`}
        {...bind('password')}
      />
      <Field
        label="确认密码"
        type="password"
        autoComplete="new-password"
        {...bind('repeat_password')}
      />
      <CaptchaField captcha={captcha} {...bind('captcha')} />
      <Notice tone="failure">{failure}</Notice>
      <Button
        type="submit"
        size="lg"
        className="mt-4 w-full"
        disabled={!hydrated}
        pending={pending}
      >
        注册
      </Button>
    </form>
  );
}
