import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDelimited } from './delimited.ts';
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
