import { expect, test } from 'vitest';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import { isWholeWord } from './is-whole-word.ts';

test.each([
  ['日本和服文化', '和服', true],
  ['化妆和服装', '和服', false],
  ['大学生活', '学生', false],
  ['这是我的家', '我的', true],
])('isWholeWord: in the text %s, %s is a whole word: %s', async (text, word, expected) => {
  const start = text.indexOf(word);
  expect(isWholeWord(await loadWordSegmenter(), text, start, start + word.length)).toBe(expected);
});
