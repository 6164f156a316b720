import { describe, expect, test } from 'vitest';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { stem } from '#modules/text/split-text-runs.ts';
import { parseQuery } from './parse-query.ts';

const wordsOf = async (wd: string, synonyms: [string, string[]][] = []) =>
  (await parseQuery(wd, new Map(synonyms))).words.map(({ text }) => text);

describe('parseQuery', () => {
  test('splits text into words and compounds into their parts', async () => {
    expect(await wordsOf('南京市长江大桥')).toEqual(['南京市', '长江', '大桥']);
    expect(await wordsOf('数据库系统 概论')).toEqual(['数据库', '系统', '概论']);
  });

  test('treats traditional characters, full width and capitals like their normalized forms', async () => {
    expect(normalizeForSearch('數據庫ＡＢＣ')).toBe('数据库abc');
    expect(await wordsOf('計算機　ＰＹＴＨＯＮ')).toEqual(await wordsOf('计算机 python'));
  });

  test('keeps quoted phrases together and excludes words after a minus', async () => {
    const { words, excludedWords } = await parseQuery('“机器学习” 算法 -神经网络', new Map());
    expect(words.map(({ text, isPhrase }) => [text, isPhrase])).toEqual([
      ['机器学习', true],
      ['算法', false],
    ]);
    expect(excludedWords.map(({ text }) => text)).toEqual(['神经网络']);
  });

  test('drops stop words unless there are no other words', async () => {
    expect(await wordsOf('如何 学习 的 数据库')).toEqual(['学习', '数据库']);
    expect(await wordsOf('的')).toEqual(['的']);
  });

  test('adds synonyms as further forms of a word', async () => {
    const { words } = await parseQuery('电脑', new Map([['电脑', ['计算机']]]));
    expect(words[0]?.forms.map(({ text }) => text)).toEqual(['电脑', '计算机']);
  });

  test('keeps c++, c# and words with digits as single words', async () => {
    expect(await wordsOf('c++ C# 5G win10')).toEqual(['c++', 'c#', '5g', 'win10']);
  });

  test('returns no words for input without letters or digits', async () => {
    for (const wd of ['', '   ', '"', '-', '&|!()<>:*', '""', '- -', '“”']) expect(await wordsOf(wd)).toEqual([]);
  });
});

test.each([
  ['running', 'run'],
  ['studies', 'study'],
  ['boxes', 'box'],
  ['stopped', 'stop'],
  ['class', 'class'],
  ['database', 'databas'],
  ['databases', 'databas'],
  ['news', 'new'],
  ['2023', '2023'],
])('stem reduces %s to %s', (word, root) => {
  expect(stem(word)).toBe(root);
});
