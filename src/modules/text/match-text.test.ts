import { describe, expect, test } from 'vitest';
import { snippetAroundHit } from '#modules/reading/snippet-around-hit.ts';
import { findOccurrences, normalizeWithOffsets } from './match-text.contract.ts';

const findTexts = (text: string, wd: string) =>
  findOccurrences(normalizeWithOffsets(text), normalizeWithOffsets(wd).text).map(({ start, end }) =>
    text.slice(start, end),
  );

describe('findOccurrences finds a word', () => {
  test.each([
    ['in lower and upper case', 'Open Source and OPEN source', 'open source', 2],
    ['in full and half width', 'ＷＯＲＤ 2019 与 word ２０１９', 'Word 2019', 2],
    ['across the end of a line', '数据\n安全与数 据 安 全', '数据安全', 2],
    ['with the space beside Latin words', '使用 Word 编辑', '使用Word编辑', 1],
    ['in other alphabets', 'ПРИВЕТ, Ärger', 'привет', 1],
    ['twice in a row without overlap', '哈哈哈哈哈', '哈哈', 2],
    ['beyond the basic multilingual plane', '古字𠮷野家', '𠮷 野', 1],
  ])('%s', (_, text, wd, times) => {
    expect(findTexts(text, wd)).toHaveLength(times);
  });

  test('not across separate Latin words, and nothing for an empty needle', () => {
    expect(findTexts('the rapist', 'therapist')).toEqual([]);
    expect(findTexts('任何文字', '')).toEqual([]);
    expect(findTexts('任何文字', '   ')).toEqual([]);
  });

  test('and returns a span that includes the spaces of the layout', () => {
    expect(findTexts('甲乙 丙\n丁戊', '乙丙丁')).toEqual(['乙 丙\n丁']);
  });
});

test('snippetAroundHit marks where the text around a match was cut', () => {
  const text = `${'前'.repeat(30)}\n关键词\n${'后'.repeat(80)}`;
  const [span] = findOccurrences(normalizeWithOffsets(text), '关键词');
  expect(snippetAroundHit(text, span ?? { start: 0, end: 0 })).toBe(`…${'前'.repeat(15)}关键词 ${'后'.repeat(47)}…`);
  expect(snippetAroundHit('只有关键词', { start: 2, end: 5 })).toBe('只有关键词');
  const lines = '南京市长江大桥于一九六八\n年建成通车，是长\n江上的第一座。';
  expect(snippetAroundHit(lines, { start: 8, end: 14 })).toBe('南京市长江大桥于一九六八年建成通车，是长江上的第一座。');
});
