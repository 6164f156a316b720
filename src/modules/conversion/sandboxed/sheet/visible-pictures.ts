import { MAX_PICTURES_PER_SECTION } from '../../validated-cell-styles.ts';
import type { PictureList, PlacedPicture } from '../sheet-pictures/picture-list.ts';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING } from './limits.ts';
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
  const mergeEnds = new Map(merges.map(({ s: start, e: end }) => [`${start.r},${start.c}`, end]));
  for (const [row, cells] of texts.entries())
    for (const [column, text] of cells.entries()) {
      const id = CELL_PICTURE.exec(text)?.[1];
      if (id === undefined) continue;
      const name = pictures.length < MAX_CELL_PICTURES && Object.hasOwn(byId, id) ? byId[id] : undefined;
      cells[column] = name ? '' : PICTURE_LABEL;
      const end = mergeEnds.get(`${row},${column}`) ?? { r: row, c: column };
      if (name) pictures.push({ name, label: '', row, column, endRow: end.r + 1, endColumn: end.c + 1 });
    }
  return pictures;
}

/** Of a sheet, and therefore also of a section. */
const MAX_CELL_PICTURES = MAX_PICTURES_PER_SECTION;
/** Pictures that lie farther below the cells are left out. */
const MAX_ROWS_BELOW = 1_000;

/**
 * Positions among the visible rows and columns. Pictures over hidden ones only are left out, and those below the last row
 * that was read, where hidden rows are not known. `isCut`: the file has cells there.
 */
export function visiblePictures(
  pictures: FilePicture[],
  visibility: Visibility,
  { readRows, isCut }: { readRows: number; isCut: boolean },
): VisiblePicture[] {
  const lastRow = isCut
    ? readRows
    : Math.max(readRows, Math.min(MAX_ROWS_WITHOUT_STREAMING, readRows + MAX_ROWS_BELOW));
  const picturesInRange = pictures.filter(({ row, column }) => row < lastRow && column < MAX_COLUMNS);
  if (picturesInRange.length === 0) return [];
  const rows = visibleBefore(lastRow, visibility.isRowHidden);
  const columns = visibleBefore(MAX_COLUMNS, visibility.isColumnHidden);
  return picturesInRange
    .map(({ name, label, row, column, endRow, endColumn }) => {
      const [top, bottom] = [visiblePosition(rows, row), visiblePosition(rows, endRow)];
      const [left, right] = [visiblePosition(columns, column), visiblePosition(columns, endColumn)];
      return {
        name,
        label,
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
