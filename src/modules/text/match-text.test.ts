import { describe, expect, test } from 'vitest';
import { snippetOf } from '#modules/reading/find-snippet.ts';
import { findIn, normalizeWithOffsets } from './match-text.contract.ts';

const found = (text: string, wd: string) =>
  findIn(normalizeWithOffsets(text), normalizeWithOffsets(wd).text).map(({ start, end }) => text.slice(start, end));

describe('words are found however they are set', () => {
  test.each([
    ['in small and capital letters', 'Open Source and OPEN source', 'open source', 2],
    ['in full and half width', 'ＷＯＲＤ 2019 与 word ２０１９', 'Word 2019', 2],
    ['across the end of a line', '数据\n安全与数 据 安 全', '数据安全', 2],
    ['with the space that stands beside foreign words', '使用 Word 编辑', '使用Word编辑', 1],
    ['in other alphabets', 'ПРИВЕТ, Ärger', 'привет', 1],
    ['one behind the other', '哈哈哈哈哈', '哈哈', 2],
    ['beyond the basic plane', '古字𠮷野家', '𠮷 野', 1],
  ])('%s', (_, text, wd, times) => {
    expect(found(text, wd)).toHaveLength(times);
  });

  test('but not where words stand apart', () => {
    expect(found('the rapist', 'therapist')).toEqual([]);
    expect(found('任何文字', '')).toEqual([]);
    expect(found('任何文字', '   ')).toEqual([]);
  });

  test('a hit covers what stands in the text, with what layout put in between', () => {
    expect(found('甲乙 丙\n丁戊', '乙丙丁')).toEqual(['乙 丙\n丁']);
  });
});

test('a line around a hit tells where it was cut', () => {
  const text = `${'前'.repeat(30)}\n关键词\n${'后'.repeat(80)}`;
  const [span] = findIn(normalizeWithOffsets(text), '关键词');
  expect(snippetOf(text, span ?? { start: 0, end: 0 })).toBe(`…${'前'.repeat(15)}关键词 ${'后'.repeat(47)}…`);
  expect(snippetOf('只有关键词', { start: 2, end: 5 })).toBe('只有关键词');
  const lines = '南京市长江大桥于一九六八\n年建成通车，是长\n江上的第一座。';
  expect(snippetOf(lines, { start: 8, end: 14 })).toBe('南京市长江大桥于一九六八年建成通车，是长江上的第一座。');
});
