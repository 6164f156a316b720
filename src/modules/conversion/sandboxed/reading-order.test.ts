import { expect, test } from 'vitest';
import type { Word } from './events.ts';
import { sortInReadingOrder } from './reading-order.ts';

const word = (text: string, left: number, width: number, top = 0): Word => [text, left, top, width, 100];
const sortedText = (line: Word[]) =>
  sortInReadingOrder(line)
    .map(([text]) => text)
    .join('');

test('quotation marks that were drawn after the rest of their line are put into their gaps', () => {
  const wordsAsDrawn = [
    word('王五说 ', 0, 300),
    word('今天很好 ', 350, 400),
    word('，然后', 800, 300),
    word('“ ', 300, 50),
    word('” ', 750, 50),
  ];
  expect(sortedText(wordsAsDrawn)).toBe('王五说“今天很好”，然后');
});

test('spaces beside curly quotes stay on their Latin side when the line is sorted', () => {
  const wordsAsDrawn = [
    word('He ', 0, 90),
    word('said ', 110, 130),
    word('yes ', 300, 100),
    word('to ', 460, 60),
    word('他 ', 540, 80),
    word('then ', 640, 140),
    word('走', 800, 80),
    word('“ ', 260, 40),
    word('” ', 400, 40),
  ];
  expect(sortedText(wordsAsDrawn)).toBe('He said “yes” to 他 then 走');
});

test('a space between words that are not adjacent stays when their line is sorted', () => {
  const wordsAsDrawn = [word('left ', 500, 200), word('He ', 0, 100), word('said ', 160, 200)];
  expect(sortedText(wordsAsDrawn)).toBe('He said left ');
});

test('words stay in the order in which they were drawn when they stand above each other or are written from right to left', () => {
  for (const secondTop of [200, 90])
    expect(sortedText([word('上', 100, 50), word('下', 0, 50, secondTop)])).toBe('上下');
  expect(sortedText([word('שלום', 100, 50), word('עולם', 0, 50)])).toBe('שלוםעולם');
});
