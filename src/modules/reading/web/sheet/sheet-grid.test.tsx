import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { linksByRow } from './cell-link.tsx';
import { mergedPartsByRow } from './merged-cells.ts';
import { SheetTable } from './sheet-grid.tsx';
import { columnName } from './sheet-rows.ts';

const TOTAL_ROWS = 5_000;
const styleOfFirstColumn = { fill: 'ffc000', bold: true as const };

/** Merges the first two cells of the rows 2 to 4. */
const mergedParts = mergedPartsByRow([[2, 0, 3, 2]]);

const links = linksByRow({
  links: [[3, 2, 'https://example.org/a']],
  cell_links: [[4, 2, 1, 70, 0]],
});

const renderRows = (rows: { from: number; to: number }, frozenPanes = { rows: 1, columns: 0 }) =>
  render(
    <SheetTable
      letters={[0, 1, 2].map(columnName)}
      total={TOTAL_ROWS}
      rows={rows}
      frozen={frozenPanes}
      selectedCell={null}
      needle=""
      widths={[100, 100, 100]}
      cellsOf={(row) => [`甲${row}`, `乙${row}`, `丙${row}`]}
      stylesOf={() => [styleOfFirstColumn]}
      mergedPartsOf={(row) => mergedParts.get(row)}
      linksOf={(row) => links.get(row)}
      labelOf={(row) => String(row + 1)}
    />,
  ).container;

it('the grid of a sheet with 5,000 styled rows renders only the visible ones', () => {
  const grid = renderRows({ from: 4_000, to: 4_040 });
  const rows = [...grid.querySelectorAll('tr[aria-rowindex]')];
  // The column letters and the first row stay visible.
  expect(rows.map((row) => Number(row.getAttribute('aria-rowindex')))).toEqual([
    1,
    2,
    ...Array.from({ length: 40 }, (_, at) => 4_002 + at),
  ]);
  expect(grid.querySelectorAll('td[data-cell]')).toHaveLength(41 * 3);
});

it('the grid of a sheet shows the fill and the font of a cell', () => {
  const [styledCell, unstyledCell] = renderRows({ from: 0, to: 2 }).querySelectorAll<HTMLElement>(
    'td[data-cell^="1,"]',
  );
  expect(styledCell?.style.backgroundColor).toBe('rgb(255, 192, 0)');
  expect(styledCell?.style.fontWeight).toBe('700');
  expect(unstyledCell?.getAttribute('style')).toBeNull();
});

it('the grid of a sheet draws a merged cell across its columns and without lines between its rows', () => {
  const grid = renderRows({ from: 0, to: 6 });
  const cellsOfRow = (row: number) => [...grid.querySelectorAll<HTMLTableCellElement>(`td[data-cell^="${row},"]`)];
  expect([1, 2, 5].map((row) => cellsOfRow(row).map(({ colSpan }) => colSpan))).toEqual([
    [1, 1, 1],
    [2, 1],
    [1, 1, 1],
  ]);
  expect([2, 3, 4].map((row) => cellsOfRow(row)[0]?.textContent)).toEqual(['甲2', '', '']);
  expect([2, 3, 4].map((row) => cellsOfRow(row)[0]?.dataset.continues)).toEqual(['true', 'true', undefined]);
});

it('the grid of a sheet keeps its frozen rows in the head, and its frozen columns at the left edge', () => {
  const grid = renderRows({ from: 4_000, to: 4_010 }, { rows: 3, columns: 2 });
  const numbersOf = (rows: NodeListOf<Element>) => [...rows].map((row) => Number(row.getAttribute('aria-rowindex')));
  expect(numbersOf(grid.querySelectorAll('thead tr'))).toEqual([1, 2, 3, 4]);
  expect(numbersOf(grid.querySelectorAll('tbody tr[aria-rowindex]'))).toHaveLength(10);
  const positions = [...grid.querySelectorAll<HTMLElement>('td[data-cell^="4001,"]')].map(({ style }) => style.left);
  expect(positions).toEqual(['52px', '152px', '']);
});

it('the grid of a sheet opens links to web pages in a new tab without a referrer, and links to cells as buttons', () => {
  const grid = renderRows({ from: 0, to: 8 });
  const link = grid.querySelector('a');
  expect([link?.textContent, link?.href, link?.target]).toEqual(['丙3', 'https://example.org/a', '_blank']);
  expect(link?.rel).toBe('noopener noreferrer nofollow ugc');
  const button = grid.querySelector('button');
  expect([button?.textContent, button?.dataset.linkedCell]).toEqual(['丙4', '1,70,0']);
});
