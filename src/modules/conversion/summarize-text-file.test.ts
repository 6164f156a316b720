import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { summarizeTextFile } from './summarize-text-file.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-text-'));
afterAll(() => rm(folder, { recursive: true }));

async function readStatistics(text: string) {
  const file = path.join(folder, 'text.txt');
  await writeFile(file, text);
  const handle = await open(file);
  try {
    return await summarizeTextFile(handle);
  } finally {
    await handle.close();
  }
}

test.each([
  ['Chinese', 'zh', '南京市长江大桥于一九六八年建成通车。'],
  ['traditional Chinese', 'zh', '南京市長江大橋於一九六八年建成通車。'],
  ['English', 'en', 'The bridge across the river was opened in 1968.'],
  ['Japanese', 'ja', '東京は日本の首都であり、世界でも有数の大都市です。'],
  ['Korean', 'ko', '서울은 대한민국의 수도이자 최대 도시이다.'],
  ['Russian', 'ru', 'Москва является столицей Российской Федерации.'],
])('summarizeTextFile detects the language of a text in %s', async (_, language, text) => {
  expect((await readStatistics(text)).language).toBe(language);
});

test('summarizeTextFile ignores a few words of another language when it detects the language', async () => {
  const chinese = '本章介绍如何用 PostgreSQL 和 TypeScript 写一个小型的文档库，并说明索引的用处。';
  expect((await readStatistics(chinese)).language).toBe('zh');
  const english = 'The word for a bridge is 桥 in Chinese, and this book is about bridges.';
  expect((await readStatistics(english)).language).toBe('en');
  // One Japanese word does not make a Chinese text Japanese.
  const lesson = `${'日语里的问候语有许多种，按时间和场合来选择。'.repeat(4)}例如「こんにちは」。`;
  expect((await readStatistics(lesson)).language).toBe('zh');
});

test('summarizeTextFile detects no language in a text with hardly any letters', async () => {
  expect((await readStatistics('1968 · 12 · 29')).language).toBe('');
  expect((await readStatistics('')).language).toBe('');
});
