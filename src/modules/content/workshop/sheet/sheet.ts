export type Sheet = {
  name: string;
  rows: string[][];
  /** Rows there are in the file. */
  total: number;
  /** Widths of the columns in letters, where the file says so. */
  widths: number[];
};
