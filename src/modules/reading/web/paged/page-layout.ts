/** Page positions in units of the page width, so that they are independent of the zoom. */

export type PageSize = { page: number; width: number; height: number };
export type Rotation = 0 | 90 | 180 | 270;
type Side = 'alone' | 'left' | 'right';

export const PAGE_GAP = 16;
export const VIEWPORT_PADDING = 16;
const A4_RATIO = 297 / 210;

export type PageLayout = {
  pages: number;
  rows: number;
  /** Height divided by width, after rotation. */
  ratioOf: (page: number) => number;
  rowOf: (page: number) => number;
  pagesOf: (row: number) => number[];
  sideOf: (page: number) => Side;
  /** Top of a row as a number of page widths plus pixels. */
  top: (row: number) => { widths: number; pixels: number };
  /** The row at a height of the column for a page width; includes the gap below the row. */
  rowAt: (y: number, width: number) => number;
};

export function layOutPages(
  sizes: PageSize[],
  pages: number,
  { rotation = 0, isDouble = false }: { rotation?: Rotation; isDouble?: boolean } = {},
): PageLayout {
  const ratios = ratiosOf(sizes, pages, rotation % 180 !== 0);
  // The first page alone, so that facing pages are side by side as in a book.
  const rowOf = (page: number) => (isDouble ? Math.floor(page / 2) : page - 1);
  const rows = pages === 0 ? 0 : rowOf(pages) + 1;
  const pagesOf = (row: number) => {
    if (!isDouble) return [row + 1];
    return [row * 2, row * 2 + 1].filter((page) => page >= 1 && page <= pages);
  };
  const ratioOf = (page: number) => ratios[page - 1] ?? A4_RATIO;
  const tops = new Float64Array(rows + 1);
  for (let row = 0; row < rows; row++) tops[row + 1] = (tops[row] ?? 0) + Math.max(...pagesOf(row).map(ratioOf));
  const top = (row: number) => ({
    widths: tops[row] ?? 0,
    pixels: VIEWPORT_PADDING + row * PAGE_GAP,
  });
  return {
    pages,
    rows,
    ratioOf,
    rowOf,
    pagesOf,
    top,
    sideOf: (page) => {
      if (!isDouble || pagesOf(rowOf(page)).length === 1) return 'alone';
      return page % 2 === 0 ? 'left' : 'right';
    },
    rowAt(y, width) {
      let [low, high] = [0, Math.max(0, rows - 1)];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        const { widths, pixels } = top(middle);
        if (widths * width + pixels <= y) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

function ratiosOf(sizes: PageSize[], pages: number, isSideways: boolean): Float64Array {
  const ratios = new Float64Array(pages).fill(A4_RATIO);
  for (const [index, { page, width, height }] of sizes.entries()) {
    const ratio = width > 0 && height > 0 ? (isSideways ? width / height : height / width) : A4_RATIO;
    ratios.fill(ratio, page - 1, (sizes[index + 1]?.page ?? pages + 1) - 1);
  }
  return ratios;
}

/** First page of the row `rows` rows away; past the ends a page number out of range. */
export const pageAtRowDistance = (layout: PageLayout, page: number, rows: number): number =>
  layout.pagesOf(layout.rowOf(page) + rows)[0] ?? (rows > 0 ? layout.pages + 1 : 0);

export const rowTopPixels = (layout: PageLayout, row: number, width: number): number => {
  const { widths, pixels } = layout.top(row);
  return widths * width + pixels;
};

export const totalColumnHeight = (layout: PageLayout): { widths: number; pixels: number } => {
  const { widths, pixels } = layout.top(layout.rows);
  return { widths, pixels: pixels - PAGE_GAP + VIEWPORT_PADDING };
};
