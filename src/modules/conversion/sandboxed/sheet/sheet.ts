import type { CellStyle } from '../../cell-style.contract.ts';

/** Positions are zero-based. */
export type MergedCell = { row: number; column: number; rows: number; columns: number };

/** A cell of the file; `sheet` is the name of its sheet. */
export type CellTarget = { sheet: string; row: number; column: number };
/** A link at a visible cell, with positions among the visible rows and columns. */
export type SheetLink = { row: number; column: number; target: string | CellTarget };

/** Positions among the visible rows and columns; 2.5 is the middle of the third one. `name`: file of the picture. */
export type VisiblePicture = {
  name: string;
  label: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
};

export type Sheet = {
  name: string;
  rows: string[][];
  total: number;
  /** Column widths in characters, if the file declares them. */
  widths: number[];
  /** Numbers (from 1) that the rows have in the file; absent if no row is hidden between them. */
  rowNumbers?: number[];
  /** Numbers (from 1) that the columns have in the file; absent if no column is hidden between them. */
  columnNumbers?: number[];
  /** Styles of the cells of `rows`; absent if none has one. */
  styles?: (CellStyle | undefined)[][];
  /** Absent without merged cells. */
  mergedCells?: MergedCell[];
  /** Numbers of visible rows and columns that stay visible; absent if the file freezes none. */
  frozen?: [rows: number, columns: number];
  /** Links at cells of `rows`; absent if there are none. */
  links?: SheetLink[];
  /** Absent without pictures and charts. */
  pictures?: VisiblePicture[];
  /** Shown below the rows; not part of the text of the document. */
  notice?: string;
};

/** Tables in text form are not included. */
export type WorkbookFormat = 'xls' | 'xlsx' | 'xlsb' | 'ods' | 'spreadsheetml' | 'fods';

/** For each sheet with images, charts or shapes, their text as rows. */
export type Drawings = Map<string, string[][]>;
