import { expect, test } from 'vitest';
import { problemsOf, type Rules } from './use-form.ts';

const rules: Rules<'name' | 'again'> = {
  name: ({ name }) => (name ? '' : '请输入名称'),
  again: ({ name, again }) => (name === again ? '' : '两次输入不一致'),
};

test('each field is judged by its rule, with a view of the others', () => {
  expect(problemsOf(rules, { name: '', again: '' })).toEqual({ name: '请输入名称' });
  expect(problemsOf(rules, { name: '豆', again: '斗' })).toEqual({ again: '两次输入不一致' });
  expect(problemsOf(rules, { name: '豆', again: '豆' })).toEqual({});
});
