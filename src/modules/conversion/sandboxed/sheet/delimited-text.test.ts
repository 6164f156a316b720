import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDelimited } from './delimited-text.ts';
import { MAX_ROWS } from './limits.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'delimited-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (text: string) => {
  const file = path.join(folder, 'table.csv');
  writeFileSync(file, text);
  return readDelimited(file);
};

test('readDelimited drops blank rows at the end of a table', () => {
  const { rows, total } = read(`品名,数量\n苹果,3\n${',\n'.repeat(300)}\n\n`);
  expect([rows.length, total]).toEqual([2, 2]);
});

test('readDelimited cuts a table at the row limit and reports the total number of rows', () => {
  const { rows, total } = read('苹果,3\n'.repeat(MAX_ROWS + 7));
  expect([rows.length, total]).toEqual([MAX_ROWS, MAX_ROWS + 7]);
});

test.each([
  [
    'an unclosed quote keeps the rows before it and the text after it',
    'a,b\n1,"x\n2,y\n',
    [
      ['a', 'b'],
      ['1', 'x\n2,y'],
    ],
  ],
  [
    'text after a closing quote belongs to the cell',
    'a,b\n"1"x,2\n',
    [
      ['a', 'b'],
      ['1x', '2'],
    ],
  ],
  [
    'a quote within a cell is part of its text',
    'a,b\n1,x "q" y\n',
    [
      ['a', 'b'],
      ['1', 'x "q" y'],
    ],
  ],
  [
    'different line ends in one file end a row',
    'a,b\r\n1,2\n3,4\r5,6',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ],
  ],
  ['rows may have different numbers of cells', 'a,b\n1\n1,2,3\n', [['a', 'b'], ['1'], ['1', '2', '3']]],
])('readDelimited: %s', (_, text, rows) => {
  const cells = read(text).rows.map((row) => row.map((cell) => cell.trimEnd()));
  expect(cells).toEqual(rows);
});
