import { openZip } from '../flow/zip-reader.ts';
import type { Visibility } from './cell-visibility.ts';
import { MAX_SHEETS } from './limits.ts';
import { listSheetParts } from './workbook-parts.ts';
import { MAX_SHEET_BYTES } from './zero-row-and-column-sizes.ts';

/** Numbers of rows and columns of the file that stay visible. */
export type FrozenPanes = { rows: number; columns: number };

const PANE = /<(?:[\w.-]+:)?pane(\s[^<>]*)>/;
export const MAX_FROZEN = 100;
const MAX_HEAD_CHARACTERS = 1024 * 1024;

/** Reads the frozen panes from the markup before the rows of a worksheet; a split that is not frozen has none. */
export function parseFrozenPanes(head: string): FrozenPanes | undefined {
  const [, attributes = ''] = PANE.exec(head) ?? [];
  if (!/\sstate\s*=\s*["']frozen/.test(attributes)) return;
  const split = (name: string) =>
    Math.min(MAX_FROZEN, Number(new RegExp(`\\s${name}\\s*=\\s*["'](\\d{1,7})["']`).exec(attributes)?.[1] ?? 0));
  return { rows: split('ySplit'), columns: split('xSplit') };
}

/** Frozen panes of the sheets of an xlsx file, by name. */
export async function readFrozenPanes(file: string): Promise<Map<string, FrozenPanes>> {
  const zip = await openZip(file);
  try {
    const panes = new Map<string, FrozenPanes>();
    for (const { name, part } of (await listSheetParts(zip)).slice(0, MAX_SHEETS)) {
      let head = '';
      for await (const chunk of (part && zip.stream(part, MAX_SHEET_BYTES)) || []) {
        head += chunk.toString('latin1');
        if (head.includes('sheetData') || head.length > MAX_HEAD_CHARACTERS) break;
      }
      const sheetPanes = parseFrozenPanes(head.slice(0, head.indexOf('sheetData')));
      if (sheetPanes) panes.set(name, sheetPanes);
    }
    return panes;
  } finally {
    zip.close();
  }
}

/** Without the hidden rows and columns. */
export function visibleFrozenPanes({ rows, columns }: FrozenPanes, visibility: Visibility): [number, number] {
  const countVisible = (count: number, isHidden: (index: number) => boolean) =>
    Array.from({ length: count }, (_, index) => index).filter((index) => !isHidden(index)).length;
  return [countVisible(rows, visibility.isRowHidden), countVisible(columns, visibility.isColumnHidden)];
}
