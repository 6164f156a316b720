const DIGITS = '零一二三四五六七八九';

/** A number from 0 to 99 as it is said. */
export function inWords(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  if (tens === 0) return DIGITS[ones] ?? '';
  return `${tens === 1 ? '' : DIGITS[tens]}十${ones === 0 ? '' : DIGITS[ones]}`;
}

const spoken = new Map(Array.from({ length: 100 }, (_, number) => [inWords(number), number]));
spoken.set('两', 2);

/** Digits for a number that was written in words; any other text as it is. */
export const inDigits = (text: string): string => {
  const number = spoken.get(text);
  return number === undefined ? text : String(number);
};
