import { describe, expect, test } from 'vitest';
import { joinLinesIntoParagraphs } from './join-lines-into-paragraphs.ts';
import type { ReadingWord } from './reading.contract.ts';

const paragraphsOf = (words: ReadingWord[][]) => joinLinesIntoParagraphs([words])[0];

describe('joinLinesIntoParagraphs for Latin words beside a Chinese font with boxes twice as high', () => {
  const [LATIN_HEIGHT, CHINESE_HEIGHT] = [259, 576];
  /** Distance between the tops of a Chinese and a Latin word on the same baseline. */
  const LATIN_OFFSET = 167;
  const [LEFT, RIGHT] = [1211, 8670];
  const FULL_WIDTH = RIGHT - LEFT;
  type LinePart = { text: string; width: number; isChinese?: boolean };
  const latin = (text: string, width: number): LinePart => ({ text, width });
  const chinese = (text: string, width: number): LinePart => ({ text, width, isChinese: true });

  /** A line whose Chinese words have, or would have, this top. */
  function mixedLine(chineseTop: number, ...parts: LinePart[]): ReadingWord[] {
    let x = LEFT;
    return parts.map(({ text, width, isChinese = false }): ReadingWord => {
      const left = x;
      x += width;
      const [top, height] = isChinese ? [chineseTop, CHINESE_HEIGHT] : [chineseTop + LATIN_OFFSET, LATIN_HEIGHT];
      return [text, left, top, width, height];
    });
  }
  const englishTexts = [
    'This is a long English paragraph which is meant to wrap over several lines so that the text',
    'version can be tested for joining of lines when the leading of the paragraph is very wide, as',
    'many theses have it.',
  ];
  const chineseTexts = [
    '这是一个很长的中文段落，用来检验文字版在行距很宽的时候',
    '的各行合并成一段，许多论文都使用',
    '两倍行距。',
  ];
  const widthOf = (index: number) => (index < 2 ? FULL_WIDTH : 1500);
  const englishLines = (top: number) =>
    englishTexts.map((text, index) => mixedLine(top + index * 541, latin(text, widthOf(index))));
  const chineseLines = (top: number) =>
    chineseTexts.map((text, index) => mixedLine(top + index * 674, chinese(text, widthOf(index))));

  test('measures the line distance of English and of Chinese paragraphs separately', () => {
    const lines = [...englishLines(1033), ...chineseLines(2697), ...englishLines(4676), ...chineseLines(6341)];
    const [english, chineseText] = [englishTexts.join(' '), chineseTexts.join('')];
    expect(paragraphsOf(lines)).toEqual([english, chineseText, english, chineseText]);
  });

  test('joins the only two English lines of a Chinese page when the second continues a sentence', () => {
    const lines = [...chineseLines(1000), ...englishLines(3000).slice(1), ...chineseLines(4300), ...chineseLines(6400)];
    expect(paragraphsOf(lines)?.[1]).toBe(englishTexts.slice(1).join(' '));
  });

  /** Chinese, English and again Chinese sentences in one paragraph. */
  const mixedParagraph = (top: number) => [
    mixedLine(top, chinese('这是一个很长的中文段落，用来检验文字版在行距很宽的时候', FULL_WIDTH)),
    mixedLine(top + 580, chinese('两倍行距。', 1008), latin('This is a long English paragraph so', 6233)),
    mixedLine(top + 1058, latin('that the text version can be tested when the leading is', 7224)),
    mixedLine(top + 1522, latin('very wide, as many theses have it, because readers want paragraphs,', 7318)),
    mixedLine(top + 2086, latin('not lines. ', 790), chinese('这是一个很长的中文段落，用来检验文字版', 6652)),
    mixedLine(top + 2666, chinese('都使用两倍行距。', 1613)),
  ];

  test('joins Latin lines with the lines before and after that contain both scripts', () => {
    const lines = [...mixedParagraph(1076), ...mixedParagraph(1076 + 3245)];
    const paragraph =
      '这是一个很长的中文段落，用来检验文字版在行距很宽的时候两倍行距。This is a long English paragraph so ' +
      'that the text version can be tested when the leading is very wide, as many theses have it, because readers ' +
      'want paragraphs, not lines. 这是一个很长的中文段落，用来检验文字版都使用两倍行距。';
    expect(paragraphsOf(lines)).toEqual([paragraph, paragraph]);
  });

  test('separates an English paragraph from a Chinese one with Latin words when a character would have fit', () => {
    const lastEnglishLine = mixedLine(2656, latin('many theses have it, because readers want paragraphs.', 6988));
    const firstChineseLine = [
      chinese('这个程序使用 ', 1400),
      latin('PostgreSQL ', 900),
      chinese('保存了全部文档', 5100),
    ];
    const lines = [
      ...englishLines(1574).slice(0, 2),
      lastEnglishLine,
      mixedLine(3200, ...firstChineseLine),
      mixedLine(3874, chinese('并说明了如何安装。', 1800)),
    ];
    expect(paragraphsOf(lines)?.[1]).toBe('这个程序使用 PostgreSQL 保存了全部文档并说明了如何安装。');
  });
});
