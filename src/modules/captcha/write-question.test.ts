import { describe, expect, it } from 'vitest';
import { inDigits, inWords } from './numerals.ts';
import { writeQuestion } from './write-question.ts';

/** Reads a question as a person would. */
function solve(question: string): number {
  const numbers = (question.match(/[零一二三四五六七八九十两]+/g) ?? [])
    .map((word) => Number(inDigits(word)))
    .filter((number) => !Number.isNaN(number));
  const [one = 0, two = 0, three = 0] = numbers;
  if (question.includes('加起来')) return numbers.slice(0, 3).reduce((sum, each) => sum + each, 0);
  if (question.includes('最大')) return Math.max(...numbers);
  if (question.includes('最小')) return Math.min(...numbers);
  if (question.includes('送人')) return one - two + three;
  if (question.includes('加')) return one + two;
  return question.includes('减') ? one - two : one * two;
}

describe('a captcha in words', () => {
  it('is a small sum whose answer follows from its words alone', () => {
    for (let at = 0; at < 500; at += 1) {
      const { shown, answer } = writeQuestion();
      expect(shown).toMatch(/？$/);
      expect(shown).not.toMatch(/\d/);
      expect([shown, answer]).toEqual([shown, String(solve(shown))]);
    }
  });

  it('is told in many ways', () => {
    const asked = new Set(Array.from({ length: 300 }, () => writeQuestion().shown));
    expect(asked.size).toBeGreaterThan(200);
  });
});

it.each([
  [0, '零'],
  [2, '二'],
  [10, '十'],
  [14, '十四'],
  [20, '二十'],
  [35, '三十五'],
])('%i is said %s, and understood again', (number, word) => {
  expect(inWords(number)).toBe(word);
  expect(inDigits(word)).toBe(String(number));
});
it('other texts stay as they are', () => {
  expect(['A7X', '一一', ''].map(inDigits)).toEqual(['A7X', '一一', '']);
});
