import { userErrors } from '../account.contract.ts';

export const validatePasswordPresent = ({ password }: { password: string }) => (password ? '' : '请输入您的登录密码');
export const validateCodePresent = ({ code }: { code: string }) => (code.trim() ? '' : '请输入两步验证码');

/** Assigns a refusal of the server to the field that caused it. */
export function passwordAndCodeErrors(error: unknown): { password?: string; code?: string } {
  if (userErrors.wrongPassword.is(error)) return { password: error.message };
  return userErrors.wrongCode.is(error) ? { code: error.message } : {};
}
