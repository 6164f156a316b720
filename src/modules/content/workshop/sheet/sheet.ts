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
