import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CaptchaField } from '#modules/captcha/web/captcha-field.tsx';
import { useCaptcha } from '#modules/captcha/web/use-captcha.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { errorMessageOf, type FieldRules, useForm } from '#platform/web/use-form.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { MIN_PASSWORD_LENGTH, userApi } from '../account.contract.ts';

const EMPTY_FORM = { password: '', repeat_password: '', captcha: '' };
const rules: FieldRules<'password' | 'repeat_password'> = {
  password: ({ password }) => {
    if (password === '') return '请输入新密码';
    return password.length >= MIN_PASSWORD_LENGTH ? '' : `新密码至少 ${MIN_PASSWORD_LENGTH} 位`;
  },
  repeat_password: ({ password, repeat_password }) => {
    if (repeat_password === '') return '请再次输入新密码';
    return repeat_password === password ? '' : '两次输入的密码不一致';
  },
};

export function ResetPasswordForm({ email, token }: { email: string; token: string }) {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const captcha = useCaptcha('find_password');
  const [failure, setFailure] = useState('');

  const { pending, bind, set, submit } = useForm({
    initial: EMPTY_FORM,
    rules: { ...rules, captcha: (values) => captcha.problem(values.captcha) },
    send: async ({ password, captcha: answer }) => {
      setFailure('');
      const input = { email, token, password, ...captcha.fields(answer) };
      await callEndpoint(userApi.resetPassword, input);
      toast.success('设置成功，请用新密码重新登录');
      await navigate('/login', { replace: true });
    },
    onError: (error) => {
      captcha.refresh();
      set({ captcha: '' });
      setFailure(errorMessageOf(error) || '请求失败');
    },
  });

  return (
    <form method="post" onSubmit={submit} noValidate>
      <Field label="电子邮箱" type="email" autoComplete="username" value={email} readOnly />
      <Field
        label="账户密码"
        type="password"
        autoComplete="new-password"
        hint={`至少 ${MIN_PASSWORD_LENGTH} 位`}
        {...bind('password')}
      />
      <Field label="确认密码" type="password" autoComplete="new-password" {...bind('repeat_password')} />
      <CaptchaField captcha={captcha} {...bind('captcha')} />
      <Notice tone="failure">{failure}</Notice>
      <Button type="submit" size="lg" className="mt-4 w-full" disabled={!isHydrated} pending={pending}>
        立即提交
      </Button>
    </form>
  );
}
