import { MIN_PASSWORD_LENGTH } from '#modules/account/account.contract.ts';
import { isEmail } from '#platform/web/is-email.ts';
import type { FieldRules } from '#platform/web/use-form.ts';

type Name = 'email' | 'username' | 'password' | 'repeat_password';

/** Validated on blur and before submitting; the server validates again. */
export const registerRules: FieldRules<Name> = {
  email: ({ email }) => {
    if (email.trim() === '') return '请输入您的邮箱地址，以便忘记密码时找回';
    return isEmail(email) ? '' : '请输入正确的邮箱地址';
  },
  username: ({ username }) => {
    const { length } = username.trim();
    if (length === 0) return '请输入您用于登录的用户名';
    return length >= 3 && length <= 32 ? '' : '用户名长度在 3 到 32 个字符';
  },
  password: ({ password }) => {
    if (password === '') return '请输入您的登录密码';
    return password.length >= MIN_PASSWORD_LENGTH ? '' : `登录密码至少 ${MIN_PASSWORD_LENGTH} 位`;
  },
  repeat_password: ({ password, repeat_password }) => {
    if (repeat_password === '') return '请再次输入您的登录密码';
    return repeat_password === password ? '' : '两次输入的密码不一致';
  },
};
