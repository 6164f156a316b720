import type { SheetCells } from './arrange-sheet.ts';
import type { RowBudget } from './row-budget.ts';

/** A workbook whose sheets are read one after the other. */
export type OpenWorkbook = {
  names: string[];
  hiddenNames: Set<string>;
  /** Null for a sheet that cannot be read. */
  readSheet(name: string, budget: RowBudget): Promise<SheetCells | null>;
  close(): void;
};
