import type { ReactNode } from 'react';
import type { ReadingPage } from '../../reading.contract.ts';
import type { Cell } from './sheet-rows.ts';

/** Opens a web page or a mail address, or shows a cell; `sheet` is its position in the workbook. */
export type CellLink = { url: string } | { sheet: number; cell: Cell };
type PageLinks = Pick<ReadingPage, 'links' | 'cell_links'>;

const linksByPage = new WeakMap<PageLinks, Map<number, Map<number, CellLink>>>();

/** Links by the row of a page and by column. Repeated calls return the same objects. */
export function linksByRow(page: PageLinks): Map<number, Map<number, CellLink>> {
  const cachedLinks = linksByPage.get(page);
  if (cachedLinks) return cachedLinks;
  const rows = new Map<number, Map<number, CellLink>>();
  const add = (row: number, column: number, link: CellLink) => {
    const columns = rows.get(row) ?? new Map<number, CellLink>();
    rows.set(row, columns.set(column, link));
  };
  for (const [row, column, url] of page.links ?? []) add(row, column, { url });
  for (const [row, column, sheet, targetRow, targetColumn] of page.cell_links ?? [])
    add(row, column, { sheet, cell: { row: targetRow, column: targetColumn } });
  linksByPage.set(page, rows);
  return rows;
}

const linkClass = 'text-left text-[inherit] underline decoration-1 underline-offset-2 hover:text-bean';

/** `useCellSelection` handles clicks on a link to a cell. */
export function LinkedText({ link, children }: { link: CellLink; children: ReactNode }) {
  if ('url' in link)
    return (
      <a
        href={link.url}
        className={linkClass}
        {...(/^https?:/i.test(link.url) && { target: '_blank', rel: 'noopener noreferrer nofollow ugc' })}
      >
        {children}
      </a>
    );
  const { row, column } = link.cell;
  return (
    <button type="button" data-linked-cell={`${link.sheet},${row},${column}`} className={linkClass}>
      {children}
    </button>
  );
}
