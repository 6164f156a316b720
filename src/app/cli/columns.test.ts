import { expect, test } from 'vitest';
import { inColumns } from './columns.ts';

test('inColumns aligns cells below each other for Chinese, Japanese, Korean and Latin text', () => {
  const rows = [
    ['豆库', '1'],
    ['カナ', '2'],
    ['한글', '3'],
    ['docs', '4'],
  ];
  expect(inColumns(rows)).toEqual(['豆库  1', 'カナ  2', '한글  3', 'docs  4']);
});
