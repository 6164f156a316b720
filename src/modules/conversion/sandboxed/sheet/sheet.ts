export type Sheet = {
  name: string;
  rows: string[][];
  /** Rows there are in the file. */
  total: number;
  /** Widths of the columns in letters, where the file says so. */
  widths: number[];
  /** A sentence below the rows that belongs to the view and not to the text of the document. */
  notice?: string;
};

/** Formats that hold a workbook; a table that is written as text is none. */
export type WorkbookFormat = 'xls' | 'xlsx' | 'ods' | 'spreadsheetml' | 'fods';

/** For each sheet with pictures, charts or shapes, the text of them as rows. */
export type Drawings = Map<string, string[][]>;
