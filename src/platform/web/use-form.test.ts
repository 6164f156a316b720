import { expect, test } from 'vitest';
import { problemsOf, type Rules, solvedProblems } from './use-form.ts';

const rules: Rules<'name' | 'again'> = {
  name: ({ name }) => (name ? '' : '请输入名称'),
  again: ({ name, again }) => (name === again ? '' : '两次输入不一致'),
};

test('each field is judged by its rule, with a view of the others', () => {
  expect(problemsOf(rules, { name: '', again: '' })).toEqual({ name: '请输入名称' });
  expect(problemsOf(rules, { name: '豆', again: '斗' })).toEqual({ again: '两次输入不一致' });
  expect(problemsOf(rules, { name: '豆', again: '豆' })).toEqual({});
});

test('the mismatch of two fields is solved by a change of either field', () => {
  const problems = { again: '两次输入不一致' };
  const before = { name: '豆', again: '斗' };
  for (const after of [
    { name: '斗', again: '斗' },
    { name: '豆', again: '豆' },
  ])
    expect(solvedProblems(rules, problems, before, after)).toEqual({ again: '' });
});

test('a problem that no rule reported stays until its own field changes', () => {
  const problems = { again: '验证码错误' };
  expect(solvedProblems(rules, problems, { name: '', again: '' }, { name: '豆', again: '豆' })).toEqual({});
});
