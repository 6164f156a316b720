import { expect, test } from 'vitest';
import { validateFields } from '#platform/web/use-form.ts';
import { registerRules } from './register-rules.ts';

const validForm = {
  email: 'reader@mail.example',
  username: '读书人',
  password: 'long-enough',
  repeat_password: 'long-enough',
};

test('registerRules accept a valid form', () => {
  expect(validateFields(registerRules, validForm)).toEqual({});
});

test('registerRules return a message for each field of an empty form', () => {
  const empty = { email: ' ', username: '', password: '', repeat_password: '' };
  expect(validateFields(registerRules, empty)).toEqual({
    email: '请输入您的邮箱地址，以便忘记密码时找回',
    username: '请输入您用于登录的用户名',
    password: '请输入您的登录密码',
    repeat_password: '请再次输入您的登录密码',
  });
});

test.each([
  ['email', 'not an address', '请输入正确的邮箱地址'],
  ['username', '两字', '用户名长度在 3 到 32 个字符'],
  ['username', '豆'.repeat(33), '用户名长度在 3 到 32 个字符'],
  ['repeat_password', 'something else', '两次输入的密码不一致'],
])('registerRules reject %s “%s” with “%s”', (name, value, problem) => {
  expect(validateFields(registerRules, { ...validForm, [name]: value })).toEqual({ [name]: problem });
});

test('registerRules reject a password of seven characters', () => {
  const short = { ...validForm, password: '1234567', repeat_password: '1234567' };
  expect(validateFields(registerRules, short)).toEqual({ password: '登录密码至少 8 位' });
});
