import { expect, test } from 'vitest';
import { createRowBudget } from './row-budget.ts';

const countRows = (budget: ReturnType<typeof createRowBudget>, row: string[]) => {
  let count = 0;
  while (budget.takeRow(count, row)) count++;
  return count;
};

test('a workbook has at most 300,000 rows, and each further sheet 5,000', () => {
  const budget = createRowBudget();
  expect([1, 2, 3].map(() => countRows(budget, ['甲']))).toEqual([300_000, 5_000, 5_000]);
});

test('a sheet with many or long cells has fewer rows', () => {
  const wideRow = Array.from({ length: 100 }, () => '甲');
  expect(countRows(createRowBudget(), wideRow)).toBe(30_000);
  expect(countRows(createRowBudget(), ['长'.repeat(2_000)])).toBe(30_000);
});
