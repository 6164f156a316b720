import { expect, test } from 'vitest';
import { splitAtMentions } from './comment-text.tsx';

const people = [
  { id: 1, username: '张三丰' },
  { id: 2, username: '张三丰子' },
];
const partsOf = (content: string) =>
  splitAtMentions(content, people).map(({ text, user }) => (user ? [text, user.id] : text));

test('splitAtMentions splits a text at mentions and prefers the longest matching name', () => {
  expect(partsOf('请教@张三丰和@张三丰子。')).toEqual(['请教', ['@张三丰', 1], '和', ['@张三丰子', 2], '。']);
  expect(partsOf('@别人，没有提到')).toEqual(['@别人，没有提到']);
  expect(partsOf('@张三丰')).toEqual([['@张三丰', 1]]);
  expect(partsOf('')).toEqual([]);
});
