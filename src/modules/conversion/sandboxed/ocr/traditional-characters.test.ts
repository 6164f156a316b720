import { expect, test } from 'vitest';
import { looksTraditional, mergeReadings, normalizePunctuation } from './traditional-characters.ts';

/** A reading of ten places; a space is a place in which the model saw nothing. */
const makeReading = (text: string, confidence = 0.9) =>
  Array.from(text).flatMap((character, index) =>
    character === ' ' ? [] : [{ text: character, start: index / 10, end: (index + 0.4) / 10, confidence }],
  );
const textOf = (line: { text: string }[]) => line.map(({ text }) => text).join('');

test('a line with traditional characters looks traditional, a simplified one does not', () => {
  expect(looksTraditional(makeReading('臺灣舊籍整理'))).toBe(true);
  expect(looksTraditional(makeReading('台湾旧籍整理'))).toBe(false);
});

test('the merged reading has the characters that only the model for traditional text knows', () => {
  expect(textOf(mergeReadings(makeReading('整理與保存計  明'), makeReading('整理與保存計畫說明')))).toBe(
    '整理與保存計畫說明',
  );
});

test('the merged reading has the traditional form where the models agree on the character', () => {
  expect(textOf(mergeReadings(makeReading('圆书馆'), makeReading('圓書館', 0.6)))).toBe('圓書館');
});

test('the merged reading has the more confident character, and punctuation of the better model', () => {
  expect(textOf(mergeReadings(makeReading('於是，於', 0.9), makeReading('放是丶放', 0.6)))).toBe('於是，於');
  expect(textOf(mergeReadings(makeReading('舆', 0.4), makeReading('與', 0.9)))).toBe('與');
});

test('a character that only one model sees with little confidence is left out', () => {
  expect(textOf(mergeReadings(makeReading('天 地'), makeReading('天立地', 0.2)))).toBe('天地');
});

test('apostrophes become commas behind Chinese characters only', () => {
  expect(textOf(normalizePunctuation(makeReading('世上’it’s')))).toBe('世上，it’s');
});
