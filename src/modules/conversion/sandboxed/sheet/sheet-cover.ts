import sharp from 'sharp';
import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import { writeCover } from '../encode-page.ts';
import { escapeHtml } from '../flow/flow-writer.ts';
import type { Sheet } from './sheet.ts';

const [WIDTH, HEIGHT, ROW_HEIGHT, MAX_ROWS, MAX_COLUMNS] = [840, 1188, 54, 22, 8];
/** Free for the coloured stripe that the site draws over the left edge of covers. */
const LEFT_MARGIN = 24;
const TABLE_WIDTH = WIDTH - LEFT_MARGIN;

/** Draws the top left corner of the first sheet. */
export async function writeSheetCover(folder: string, { rows, widths }: Sheet): Promise<void> {
  const columns = Math.min(MAX_COLUMNS, Math.max(1, ...rows.slice(0, MAX_ROWS).map((row) => row.length)));
  const weights = Array.from({ length: columns }, (_, column) => columnWeight(rows, column, widths[column]));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const columnOffsets = weights.map(
    (_, column) =>
      LEFT_MARGIN + (TABLE_WIDTH * weights.slice(0, column).reduce((sum, weight) => sum + weight, 0)) / total,
  );
  const cells = rows
    .slice(0, MAX_ROWS)
    .flatMap((row, index) =>
      columnOffsets.map((left, column) =>
        renderCell(row[column] ?? '', left, index, (TABLE_WIDTH * (weights[column] ?? 1)) / total),
      ),
    );
  const grid = [
    ...columnOffsets.slice(1).map((left) => `<path d="M${left} 0V${HEIGHT}"/>`),
    ...Array.from({ length: MAX_ROWS }, (_, index) => `<path d="M0 ${(index + 1) * ROW_HEIGHT}H${WIDTH}"/>`),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#fff"/><rect width="100%" height="${ROW_HEIGHT}" fill="#eef5ef"/>
    <g stroke="#d9ded9" stroke-width="1.5">${grid.join('')}</g>
    <g font-family="Noto Sans CJK SC, sans-serif" font-size="24" fill="#2f3531">${cells.join('')}</g></svg>`;
  await writeCover(folder, sharp(Buffer.from(svg)));
}

const measureText = (text: string) =>
  [...text].reduce((sum, character) => sum + (isWideCharacter(character) ? 2 : 1.1), 0);

function columnWeight(rows: string[][], column: number, declaredWidth = 0): number {
  const longest = Math.max(...rows.slice(0, MAX_ROWS).map((row) => measureText(row[column] ?? '')));
  return Math.min(24, Math.max(6, declaredWidth || longest));
}

function renderCell(text: string, left: number, row: number, width: number): string {
  const maxTextWidth = (width - 20) / 12;
  let visibleText = '';
  for (const character of text.replace(/\p{C}/gu, ' ')) {
    if (measureText(visibleText + character) > maxTextWidth) break;
    visibleText += character;
  }
  return visibleText && `<text x="${left + 12}" y="${row * ROW_HEIGHT + 36}">${escapeHtml(visibleText)}</text>`;
}
