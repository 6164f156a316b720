import XLSX from '@e965/xlsx';
import { expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { amountForTier } from '#testing/test-tier.ts';
import { encryptWorkbookWithRc4, obfuscateWorkbook } from '../encrypted-workbook.fixture.ts';
import { makeWorkbook } from '../workbook.fixture.ts';
import { decryptXorWorkbook } from './decrypt-xor-workbook.ts';

const DEFAULT_PASSWORD = 'VelvetSweatshop';
const makeLargeWorkbook = (rowCount: number) =>
  makeWorkbook('xls', [{ name: '表', rows: Array.from({ length: rowCount }, (_, row) => [`第 ${row} 行`, '内容']) }]);

test('decryptXorWorkbook opens a large obfuscated workbook in less than 5 s of processor time', () => {
  const rowCount = amountForTier({ quick: 6_000, full: 26_000 });
  const obfuscatedBook = obfuscateWorkbook(makeLargeWorkbook(rowCount));
  const startedAt = processCpuMs();
  const book = decryptXorWorkbook(obfuscatedBook, DEFAULT_PASSWORD);
  expect(processCpuMs() - startedAt).toBeLessThan(5_000);
  const { Sheets } = XLSX.read(book, { type: 'buffer' });
  expect(Sheets.表?.[`A${rowCount}`]?.v).toBe(`第 ${rowCount - 1} 行`);
});

test.each(['', 'velvetsweatshop', 'a password of more than 15 letters'])(
  'decryptXorWorkbook rejects the wrong password "%s"',
  (password) => {
    expect(() => decryptXorWorkbook(obfuscateWorkbook(makeLargeWorkbook(1)), password)).toThrow('wrongPassword');
  },
);

test('decryptXorWorkbook returns null for other encryptions and files', () => {
  const book = makeLargeWorkbook(1);
  expect(decryptXorWorkbook(book, '')).toBeNull();
  expect(decryptXorWorkbook(encryptWorkbookWithRc4(book, DEFAULT_PASSWORD), DEFAULT_PASSWORD)).toBeNull();
  expect(decryptXorWorkbook(Buffer.from('text'), '')).toBeNull();
});
