import { randomInt } from 'node:crypto';
import { inWords } from './numerals.ts';

export type Question = { shown: string; answer: string };

const pick = <T>(from: readonly [T, ...T[]]): T => from[randomInt(from.length)] ?? from[0];
/** How many of something: 两个, not 二个. */
const many = (number: number) => (number === 2 ? '两' : inWords(number));

const people = ['小林', '小满', '阿豆', '老周', '小禾'] as const;
const things = ['个苹果', '本书', '支铅笔', '颗豆子', '张邮票'] as const;

/** Stories small enough to be done in the head, told differently each time. */
const stories: readonly [() => [string, number], ...(() => [string, number])[]] = [
  () => {
    const [one, other] = [randomInt(3, 20), randomInt(2, 10)];
    return [`${inWords(one)}加${inWords(other)}等于几？`, one + other];
  },
  () => {
    const [one, other] = [randomInt(11, 30), randomInt(2, 10)];
    return [`${inWords(one)}减${inWords(other)}等于几？`, one - other];
  },
  () => {
    const [one, other] = [randomInt(2, 10), randomInt(2, 6)];
    return [`${inWords(one)}乘${inWords(other)}等于几？`, one * other];
  },
  () => {
    const [had, gave, got] = [randomInt(6, 15), randomInt(2, 6), randomInt(2, 9)];
    const thing = pick(things);
    const story = `${pick(people)}有${many(had)}${thing}，送人${many(gave)}${thing[0]}，又买来${many(got)}${thing[0]}。现在有几${thing[0]}？`;
    return [story, had - gave + got];
  },
  () => {
    const numbers = [randomInt(2, 10), randomInt(2, 10), randomInt(2, 10)] as const;
    const [one, two, three] = numbers;
    return [`${numbers.map(inWords).join('、')}，这三个数加起来是多少？`, one + two + three];
  },
  () => {
    const numbers = new Set<number>();
    while (numbers.size < 4) numbers.add(randomInt(2, 40));
    const said = [...numbers].map(inWords).join('、');
    const isLargest = randomInt(2) === 1;
    const answer = isLargest ? Math.max(...numbers) : Math.min(...numbers);
    return [`${said}，其中最${isLargest ? '大' : '小'}的数是几？`, answer];
  },
];

/** A captcha in words, for people who cannot see a picture: a screen reader reads it out. */
export function writeQuestion(): Question {
  const [shown, number] = pick(stories)();
  return { shown, answer: String(number) };
}
