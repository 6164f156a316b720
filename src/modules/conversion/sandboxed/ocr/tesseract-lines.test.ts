import { expect, test } from 'vitest';
import { joinTesseractWords, parseTesseractLines } from './tesseract-lines.ts';

const header = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
const row = (line: number, word: number, left: number, width: number, confidence: number, text: string) =>
  [5, 1, 1, 1, line, word, left, 100, width, 20, confidence, text].join('\t');
const textsOf = (table: string) =>
  parseTesseractLines(table).map((line) =>
    joinTesseractWords(line, 1_000)
      .map(([text]) => text)
      .join(''),
  );

test('Chinese characters are joined without spaces, Latin words with spaces', () => {
  const table = [
    header,
    row(1, 1, 0, 20, 90, '数'),
    row(1, 2, 21, 20, 90, '据'),
    row(1, 3, 45, 40, 90, 'SQL'),
    row(1, 4, 92, 60, 90, 'server'),
  ];
  expect(textsOf(table.join('\n'))).toEqual(['数据SQL server']);
});

test('words with a large gap are separated by a space', () => {
  expect(textsOf([row(1, 1, 0, 40, 90, '书名'), row(1, 2, 200, 40, 90, '单价')].join('\n'))).toEqual(['书名 单价']);
});

test('the confidence of a line is the mean of its characters; other rows of the table are ignored', () => {
  const table = [
    header,
    '4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t',
    row(1, 1, 0, 60, 90, '三个字'),
    row(1, 2, 60, 20, 50, '一'),
  ];
  const [line] = parseTesseractLines(table.join('\n'));
  expect([line?.characters, line?.confidence]).toEqual([4, 0.8]);
});

test('word boxes are in ten-thousandths of the page width', () => {
  const [line] = parseTesseractLines(row(1, 1, 100, 40, 90, '书名'));
  expect(line && joinTesseractWords(line, 1_000)).toEqual([['书名', 1_000, 1_000, 400, 200]]);
});
