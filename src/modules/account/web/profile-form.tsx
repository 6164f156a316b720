import type { ReactNode } from 'react';
import { maxLengthOf } from '#platform/contract/max-length.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field, TextArea } from '#platform/web/ui/field.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { useForm } from '#platform/web/use-form.ts';
import { type User, userApi, userErrors } from '../account.contract.ts';
import { EmailCodeField } from './email-code-field.tsx';
import { validateEmail } from './validate-email.ts';

export const editableProfile = ({ email, realname, identity, mobile, address, signature }: User) => ({
  email,
  realname,
  identity,
  mobile,
  address,
  signature,
});

type ProfileField = keyof ReturnType<typeof editableProfile>;

const isSameAddress = (first: string, second: string) => first.trim().toLowerCase() === second.trim().toLowerCase();

/** A new address requires the password and the code that is mailed to it. */
export function ProfileForm({ user, onSaved }: { user: User; onSaved: () => void }) {
  const isNewAddress = (email: string) => validateEmail(email) === '' && !isSameAddress(email, user.email);
  const update = useAction(userApi.updateProfile, { success: '修改成功', failure: '修改失败', onDone: onSaved });
  const beginEmailChange = useAction(userApi.beginEmailChange, {
    success: '验证码已寄出，请查看新邮箱',
    failure: '验证码发送失败',
  });
  const { values, pending, bind, setFieldErrors, submit } = useForm({
    initial: { ...editableProfile(user), password: '', code: '' },
    rules: {
      // An account without an address may stay without one.
      email: ({ email }) => (user.email === '' && email.trim() === '' ? '' : validateEmail(email)),
      code: ({ email, code }) => (isNewAddress(email) && code.trim() === '' ? '请输入邮箱验证码' : ''),
    },
    send: ({ password: _, code, ...profile }) =>
      update.runOrThrow({ ...profile, ...(isNewAddress(profile.email) && { code: code.trim() }) }),
    onError: (error) => {
      if (userErrors.wrongEmailCode.is(error)) setFieldErrors({ code: error.message });
      if (userErrors.emailExists.is(error)) setFieldErrors({ email: error.message });
    },
  });
  const sendCode = async () => {
    const { email, password } = values;
    if (password === '') {
      setFieldErrors({ password: '请输入您的登录密码' });
      return false;
    }
    try {
      await beginEmailChange.runOrThrow({ email: email.trim(), password });
      return true;
    } catch (error) {
      if (userErrors.wrongPassword.is(error)) setFieldErrors({ password: error.message });
      return false;
    }
  };
  const bindLimited = (name: ProfileField) => ({ ...bind(name), maxLength: maxLengthOf(userApi.updateProfile, name) });
  return (
    <form onSubmit={submit} noValidate>
      <Field label="用户名" value={user.username} readOnly hint="用户名不能修改" />
      <div className="grid gap-x-4 md:grid-cols-2">
        <Field label="真实姓名" autoComplete="name" {...bindLimited('realname')} />
        <Field label="身份证号" autoComplete="off" {...bindLimited('identity')} />
        <Field label="联系邮箱" type="email" autoComplete="email" {...bindLimited('email')} />
        <Field label="联系电话" type="tel" autoComplete="tel" {...bindLimited('mobile')} />
      </div>
      {isNewAddress(values.email) ? (
        <NewAddressFields>
          <Field label="登录密码" type="password" autoComplete="current-password" {...bind('password')} />
          <EmailCodeField send={sendCode} {...bind('code')} />
        </NewAddressFields>
      ) : null}
      <TextArea label="联系地址" rows={3} autoComplete="street-address" {...bindLimited('address')} />
      <TextArea label="个性签名" rows={3} {...bindLimited('signature')} />
      <Button type="submit" className="mt-2 w-full" pending={pending}>
        修改资料
      </Button>
    </form>
  );
}

const NewAddressFields = ({ children }: { children: ReactNode }) => (
  <fieldset className="mb-4 rounded-md bg-sunken px-4 pt-3">
    <legend className="sr-only">更换邮箱</legend>
    <p className="mb-3 text-13 text-ink-2">邮箱可以用来找回密码。更换时请输入登录密码，并填写寄到新邮箱的验证码。</p>
    {children}
  </fieldset>
);
