import { isEmail } from '#platform/web/is-email.ts';

/** The error message for an invalid e-mail address of an account; empty for a valid one. */
export function validateEmail(email: string): string {
  if (email.trim() === '') return '请输入电子邮箱';
  return isEmail(email) ? '' : '请输入正确的电子邮箱';
}
