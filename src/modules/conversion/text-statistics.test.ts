import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { textStatistics } from './text-statistics.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-text-'));
afterAll(() => rm(folder, { recursive: true }));

async function describe(text: string) {
  const file = path.join(folder, 'text.txt');
  await writeFile(file, text);
  const handle = await open(file);
  try {
    return await textStatistics(handle);
  } finally {
    await handle.close();
  }
}

test.each([
  ['Chinese', 'zh', '南京市长江大桥于一九六八年建成通车。'],
  ['Chinese in the old characters', 'zh', '南京市長江大橋於一九六八年建成通車。'],
  ['English', 'en', 'The bridge across the river was opened in 1968.'],
  ['Japanese', 'ja', '東京は日本の首都であり、世界でも有数の大都市です。'],
  ['Korean', 'ko', '서울은 대한민국의 수도이자 최대 도시이다.'],
  ['Russian', 'ru', 'Москва является столицей Российской Федерации.'],
])('a text in %s is known as such', async (_, language, text) => {
  expect((await describe(text)).language).toBe(language);
});

test('words of another language in between do not change what a text is in', async () => {
  const chinese = '本章介绍如何用 PostgreSQL 和 TypeScript 写一个小型的文档库，并说明索引的用处。';
  expect((await describe(chinese)).language).toBe('zh');
  const english = 'The word for a bridge is 桥 in Chinese, and this book is about bridges.';
  expect((await describe(english)).language).toBe('en');
  // A word of Japanese in a Chinese text does not make it Japanese.
  const lesson = `${'日语里的问候语有许多种，按时间和场合来选择。'.repeat(4)}例如「こんにちは」。`;
  expect((await describe(lesson)).language).toBe('zh');
});

test('of a text with hardly any letters nothing is guessed', async () => {
  expect((await describe('1968 · 12 · 29')).language).toBe('');
  expect((await describe('')).language).toBe('');
});
