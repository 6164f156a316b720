import { useState } from 'react';
import { CaptchaField } from '#modules/captcha/web/captcha-field.tsx';
import { useCaptcha } from '#modules/captcha/web/use-captcha.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { errorMessageOf, useForm } from '#platform/web/use-form.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { userApi } from '../account.contract.ts';
import { validateEmail } from './validate-email.ts';

export function RequestPasswordResetForm() {
  const isHydrated = useHydrated();
  const captcha = useCaptcha('find_password');
  const { email: emailSettings, footer } = useSettings();
  const sendsMail = emailSettings.enable;
  const [failure, setFailure] = useState('');
  const [isDone, setIsDone] = useState(false);

  const { pending, bind, set, submit } = useForm({
    initial: { email: '', captcha: '' },
    rules: {
      email: ({ email }) => validateEmail(email),
      captcha: (values) => captcha.problem(values.captcha),
    },
    send: async ({ email, captcha: answer }) => {
      setFailure('');
      await callEndpoint(userApi.requestPasswordReset, { email, ...captcha.fields(answer) });
      setIsDone(true);
    },
    onError: (error) => {
      captcha.refresh();
      set({ captcha: '' });
      setFailure(errorMessageOf(error) || '请求失败');
    },
  });

  // The text depends only on the site, so it does not reveal whether an account has the address.
  const successText = sendsMail ? '提交成功，请查看您的邮箱' : '提交成功，请联系管理员取得重设密码的链接';
  return (
    <form method="post" onSubmit={submit} noValidate>
      {sendsMail ? null : (
        <div className="mb-5">
          <Notice tone="warning">
            本站还不能寄出邮件，提交后重设密码的链接不会寄到您的邮箱。
            {footer.contact ? (
              <a href={footer.contact} className="underline underline-offset-4">
                请联系管理员
              </a>
            ) : (
              '请联系管理员'
            )}
            ，由管理员帮您重设密码。
          </Notice>
        </div>
      )}
      <Field
        label="电子邮箱"
        type="email"
        autoComplete="email"
        placeholder="注册时填写的邮箱"
        readOnly={isDone}
        {...bind('email')}
      />
      {isDone ? null : <CaptchaField captcha={captcha} {...bind('captcha')} />}
      <Notice tone="failure">{failure}</Notice>
      <Notice tone="success">{isDone ? successText : null}</Notice>
      <Button type="submit" size="lg" className="mt-4 w-full" disabled={!isHydrated || isDone} pending={pending}>
        立即提交
      </Button>
    </form>
  );
}
