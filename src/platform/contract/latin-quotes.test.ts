import { expect, test } from 'vitest';
import { findLatinQuotes } from './latin-quotes.ts';

/** Encloses the quotes that get a Latin font in angle brackets. */
function withMarkedQuotes(text: string): string {
  const positions = findLatinQuotes(text);
  return [...text].map((character, index) => (positions.has(index) ? `<${character}>` : character)).join('');
}

test.each([
  ['The 北京 office’s “new” plan.', 'The 北京 office<’>s <“>new<”> plan.'],
  ['It’s the “best” of times, ‘he said’. 他说：“好。”', 'It<’>s the <“>best<”> of times, <‘>he said<’>. 他说：“好。”'],
  ['“Don’t wait.” 他走了', '<“>Don<’>t wait.<”> 他走了'],
  ['他读 “the students’ books” 了', '他读 <“>the students’ books<”> 了'],
  ['他说 “He said ‘no’ twice” 了', '他说 <“>He said <‘>no<’> twice<”> 了'],
  ['语言 “C++” 和 “R (4.1)”', '语言 <“>C++<”> 和 <“>R (4.1)<”>'],
])('findLatinQuotes finds the apostrophes and pairs of quotes of Latin words in %s', (text, markedText) => {
  expect(withMarkedQuotes(text)).toBe(markedText);
});

test('findLatinQuotes leaves quotes of Chinese sentences, also around Latin words', () => {
  for (const text of [
    '请使用“Save as”命令保存',
    '他说：“OK”。',
    '他说——“OK”……然后走了',
    '“等一等”',
    '她说 “好” 了',
    '',
  ])
    expect(withMarkedQuotes(text)).toBe(text);
});

test('findLatinQuotes reads a long text of opening quotes in less than a second', () => {
  const startedAt = process.cpuUsage();
  for (const text of [' “a', ' ‘a', '‘a’b']) findLatinQuotes(text.repeat(100_000));
  expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000);
});
