import { expect, test } from 'vitest';
import { splitAtLatinQuotes } from './latin-quotes.ts';

/** Marks the quotes that get a Latin font. */
const withMarkedQuotes = (text: string) =>
  splitAtLatinQuotes(text)
    .map((part) => (part.isLatinQuote ? `<${part.text}>` : part.text))
    .join('');

test('splitAtLatinQuotes separates apostrophes and pairs of quotes around Latin words in a Chinese text', () => {
  expect(withMarkedQuotes('The 北京 office’s “new” plan.')).toBe('The 北京 office<’>s <“>new<”> plan.');
  expect(withMarkedQuotes('It’s the “best” of times, ‘he said’. 他说：“好。”')).toBe(
    'It<’>s the <“>best<”> of times, <‘>he said<’>. 他说：“好。”',
  );
  expect(withMarkedQuotes('“Don’t wait.” 他走了')).toBe('<“>Don<’>t wait.<”> 他走了');
});

test('splitAtLatinQuotes leaves quotes of Chinese sentences, also around Latin words', () => {
  for (const text of ['请使用“Save as”命令保存', '他说：“OK”。', '“等一等”', '她说 “好” 了', ''])
    expect(withMarkedQuotes(text)).toBe(text);
});

test('splitAtLatinQuotes reads a long text of opening quotes in less than a second', () => {
  const startedAt = process.cpuUsage();
  splitAtLatinQuotes(' “a'.repeat(100_000));
  expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000);
});
