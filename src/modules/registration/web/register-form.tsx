import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { MIN_PASSWORD_LENGTH, userErrors } from '#modules/account/account.contract.ts';
import { EmailCodeField } from '#modules/account/web/email-code-field.tsx';
import { safeRedirect } from '#modules/account/web/safe-redirect.ts';
import { startSession } from '#modules/account/web/session-store.ts';
import { captchaErrors } from '#modules/captcha/captcha.contract.ts';
import { CaptchaField } from '#modules/captcha/web/captcha-field.tsx';
import { type Captcha, useCaptcha } from '#modules/captcha/web/use-captcha.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { errorMessageOf, useForm } from '#platform/web/use-form.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { registrationApi } from '../registration.contract.ts';
import { registerRules } from './register-rules.ts';

const EMPTY_FORM = {
  email: '',
  captcha: '',
  code: '',
  username: '',
  password: '',
  repeat_password: '',
};

/** Registers an account, logs in and returns to the former page. */
function useRegisterForm(captcha: Captcha, requiresCode: boolean) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [failure, setFailure] = useState('');
  const requestCode = useAction(registrationApi.emailCode, {
    success: '验证码已寄出，请查看您的邮箱',
    failure: '验证码发送失败',
  });

  const { values, pending, bind, set, setFieldErrors, submit } = useForm({
    initial: EMPTY_FORM,
    rules: {
      ...registerRules,
      // With a mailed code, requesting the mail required the captcha.
      captcha: (values) => (requiresCode ? '' : captcha.problem(values.captcha)),
      code: ({ code }) => (requiresCode && code.trim() === '' ? '请输入邮箱验证码' : ''),
    },
    send: async ({ email, username, password, captcha: answer, code }) => {
      const codeOrCaptcha = requiresCode ? { code: code.trim() } : captcha.fields(answer);
      await startSession(await callEndpoint(registrationApi.register, { email, username, password, ...codeOrCaptcha }));
      toast.success('注册成功');
      await navigate(safeRedirect(search.get('redirect')), { replace: true });
    },
    onError: (error) => {
      setFailure(errorMessageOf(error) || '注册失败');
      if (userErrors.wrongEmailCode.is(error)) setFieldErrors({ code: error.message });
      if (requiresCode) return;
      captcha.refresh();
      set({ captcha: '' });
    },
  });

  const sendCode = async () => {
    const problems = { email: registerRules.email?.(values) ?? '', captcha: captcha.problem(values.captcha) };
    setFieldErrors(problems);
    if (problems.email || problems.captcha) return false;
    const error = await requestCode.runOrThrow({ email: values.email.trim(), ...captcha.fields(values.captcha) }).then(
      () => null,
      (reason: unknown) => reason,
    );
    // The first attempt consumes the captcha, whether it succeeded or not.
    captcha.refresh();
    set({ captcha: '' });
    if (captchaErrors.wrong.is(error)) setFieldErrors({ captcha: error.message });
    return error === null;
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    setFailure('');
    void submit(event);
  };
  return { bind, pending, failure, sendCode, onSubmit };
}

export function RegisterForm() {
  const isHydrated = useHydrated();
  const captcha = useCaptcha('register');
  const requiresCode = useSettings().security.enable_verify_register_email;
  const { bind, pending, failure, sendCode, onSubmit } = useRegisterForm(captcha, requiresCode);
  return (
    <form method="post" onSubmit={onSubmit} noValidate>
      <Field label="邮箱" type="email" autoComplete="email" {...bind('email')} />
      {requiresCode ? (
        <>
          <CaptchaField captcha={captcha} hint="获取邮箱验证码时填写" {...bind('captcha')} />
          <EmailCodeField send={sendCode} hint="寄到上面的邮箱，10 分钟内有效" {...bind('code')} />
        </>
      ) : null}
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
        hint={`至少 ${MIN_PASSWORD_LENGTH} 位`}
        {...bind('password')}
      />
      <Field label="确认密码" type="password" autoComplete="new-password" {...bind('repeat_password')} />
      {requiresCode ? null : <CaptchaField captcha={captcha} {...bind('captcha')} />}
      <Notice tone="failure">{failure}</Notice>
      <Button type="submit" size="lg" className="mt-4 w-full" disabled={!isHydrated} pending={pending}>
        注册
      </Button>
    </form>
  );
}
