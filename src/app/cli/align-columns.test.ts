import { expect, test } from 'vitest';
import { alignColumns } from './align-columns.ts';

test('alignColumns pads cells to equal widths for Chinese, Japanese, Korean and Latin text', () => {
  const rows = [
    ['豆库', '1'],
    ['カナ', '2'],
    ['한글', '3'],
    ['docs', '4'],
  ];
  expect(alignColumns(rows)).toEqual(['豆库  1', 'カナ  2', '한글  3', 'docs  4']);
});
