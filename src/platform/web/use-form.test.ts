import { expect, test } from 'vitest';
import { type FieldRules, resolvedErrors, validateFields } from './use-form.ts';

const rules: FieldRules<'name' | 'again'> = {
  name: ({ name }) => (name ? '' : '请输入名称'),
  again: ({ name, again }) => (name === again ? '' : '两次输入不一致'),
};

test('validateFields applies the rule of each field to the values of all fields', () => {
  expect(validateFields(rules, { name: '', again: '' })).toEqual({ name: '请输入名称' });
  expect(validateFields(rules, { name: '豆', again: '斗' })).toEqual({ again: '两次输入不一致' });
  expect(validateFields(rules, { name: '豆', again: '豆' })).toEqual({});
});

test('resolvedErrors clears the mismatch of two fields when either field changes', () => {
  const fieldErrors = { again: '两次输入不一致' };
  const before = { name: '豆', again: '斗' };
  for (const after of [
    { name: '斗', again: '斗' },
    { name: '豆', again: '豆' },
  ])
    expect(resolvedErrors(rules, fieldErrors, before, after)).toEqual({ again: '' });
});

test('resolvedErrors leaves an error that no rule reported when another field changes', () => {
  const fieldErrors = { again: '验证码错误' };
  expect(resolvedErrors(rules, fieldErrors, { name: '', again: '' }, { name: '豆', again: '豆' })).toEqual({});
});
