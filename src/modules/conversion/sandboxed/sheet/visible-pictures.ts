import type { PictureList, PlacedPicture } from '../sheet-pictures/picture-list.ts';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import { visibleBefore } from './merged-cells.ts';
import type { VisiblePicture } from './sheet.ts';

/** A picture with positions of the file, as in `PlacedPicture`. */
type FilePicture = Omit<PlacedPicture, 'sheet'>;
type Range = { s: { r: number; c: number }; e: { r: number; c: number } };

/** Pictures of this sheet; a formula of WPS Office that shows a picture in its cell is removed from `texts`. */
export function picturesOfSheet(
  { placed, byId }: PictureList,
  sheet: string,
  { texts, merges }: { texts: string[][]; merges: Range[] },
): FilePicture[] {
  return [...placed.filter((picture) => picture.sheet === sheet), ...takeCellPictures(texts, byId, merges)];
}

const CELL_PICTURE = /^=?(?:_xlfn\.)?DISPIMG\("([^"]{1,100})",\s*\d\)$/;
/** Shown in place of a picture that cannot be read. */
const PICTURE_LABEL = '[图片]';

function takeCellPictures(texts: string[][], byId: PictureList['byId'], merges: Range[]): FilePicture[] {
  const pictures: FilePicture[] = [];
  for (const [row, cells] of texts.entries())
    for (const [column, text] of cells.entries()) {
      const id = CELL_PICTURE.exec(text)?.[1];
      if (id === undefined) continue;
      const name = byId[id];
      cells[column] = name ? '' : PICTURE_LABEL;
      const end = merges.find(({ s: start }) => start.r === row && start.c === column)?.e ?? { r: row, c: column };
      if (name) pictures.push({ name, row, column, endRow: end.r + 1, endColumn: end.c + 1 });
    }
  return pictures;
}

/** Pictures that lie farther below the cells are left out. */
const MAX_ROWS_BELOW = 1_000;

/** Positions among the visible rows and columns. Pictures over hidden ones only are left out. */
export function visiblePictures(pictures: FilePicture[], visibility: Visibility, rowCount: number): VisiblePicture[] {
  const lastRow = Math.min(MAX_ROWS, rowCount + MAX_ROWS_BELOW);
  const picturesInRange = pictures.filter(({ row, column }) => row < lastRow && column < MAX_COLUMNS);
  if (picturesInRange.length === 0) return [];
  const rows = visibleBefore(lastRow, visibility.isRowHidden);
  const columns = visibleBefore(MAX_COLUMNS, visibility.isColumnHidden);
  return picturesInRange
    .map(({ name, row, column, endRow, endColumn }) => {
      const [top, bottom] = [visiblePosition(rows, row), visiblePosition(rows, endRow)];
      const [left, right] = [visiblePosition(columns, column), visiblePosition(columns, endColumn)];
      return {
        name,
        row: roundPosition(top),
        column: roundPosition(left),
        rows: roundPosition(bottom - top),
        columns: roundPosition(right - left),
      };
    })
    .filter(({ rows, columns }) => rows > 0 && columns > 0);
}

const roundPosition = (position: number) => Math.round(position * 1000) / 1000;

/** `before`: for each index, how many visible ones are before it. */
function visiblePosition(before: number[], position: number): number {
  const index = Math.min(Math.floor(position), before.length - 1);
  const [start = 0, end = start] = before.slice(index, index + 2);
  return start + (position - Math.floor(position)) * (end - start);
}
