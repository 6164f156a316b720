import { expect, test } from 'vitest';
import { cutSnippet } from './cut-snippet.ts';

const word = (text: string) => ({
  text,
  forms: [{ text, pieces: [] }],
  weight: 1,
  isPhrase: false,
});

test('cutSnippet joins Chinese lines without a space, also inside a highlighted word', () => {
  const body = '序言\n\n南京市长江大桥于一九六八\n年建成通车，是新中国自行设计的，横跨长\n江。';
  const start = '序言南京市长江大桥于一九六八年建成通车，是新中国自行设计的，横跨'.length;
  const { text, marks, wd } = cutSnippet(body, [word('长江')], { start, end: start + 2 });
  expect(text).toBe('…于一九六八年建成通车，是新中国自行设计的，横跨长江。');
  expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['长江']);
  expect(wd).toBe('长江');
});
