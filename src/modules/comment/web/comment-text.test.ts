import { expect, test } from 'vitest';
import { partsOf } from './comment-text.tsx';

const people = [
  { id: 1, username: '张三丰' },
  { id: 2, username: '张三丰子' },
];
const shown = (content: string) => partsOf(content, people).map(({ text, user }) => (user ? [text, user.id] : text));

test('a text is cut where somebody is named, and of names that begin alike the longest counts', () => {
  expect(shown('请教@张三丰和@张三丰子。')).toEqual(['请教', ['@张三丰', 1], '和', ['@张三丰子', 2], '。']);
  expect(shown('@别人，没有提到')).toEqual(['@别人，没有提到']);
  expect(shown('@张三丰')).toEqual([['@张三丰', 1]]);
  expect(shown('')).toEqual([]);
});
