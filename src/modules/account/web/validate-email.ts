import { isEmail } from '#platform/web/is-email.ts';

export function validateEmail(email: string): string {
  if (email.trim() === '') return '请输入电子邮箱';
  return isEmail(email) ? '' : '请输入正确的电子邮箱';
}
