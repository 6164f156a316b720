import { expect, test } from 'vitest';
import { decodeCtc, meanConfidence } from './ctc.ts';

const characters = ['', '天', '地', ' '];

/** Probabilities of steps in which one class has this probability. */
const stepsOf = (...steps: [best: number, probability: number][]) =>
  Float32Array.from(
    steps.flatMap(([best, probability]) =>
      characters.map((_, index) => (index === best ? probability : (1 - probability) / 10)),
    ),
  );

test('the decoder joins repeated steps to one character, with the steps in which it was seen', () => {
  const line = decodeCtc(stepsOf([0, 0.9], [1, 0.5], [1, 0.75], [2, 0.5]), characters);
  expect(line).toEqual([
    { text: '天', start: 0.25, end: 0.75, confidence: 0.75 },
    { text: '地', start: 0.75, end: 1, confidence: 0.5 },
  ]);
});

test('the decoder yields a repeated character twice when a blank is between its steps', () => {
  const line = decodeCtc(stepsOf([1, 0.9], [0, 0.9], [1, 0.9]), characters);
  expect(line.map(({ text }) => text)).toEqual(['天', '天']);
});

test('the decoder yields nothing for blank steps, and their mean confidence is zero', () => {
  const line = decodeCtc(stepsOf([0, 0.9], [0, 0.9]), characters);
  expect([line, meanConfidence(line)]).toEqual([[], 0]);
});
