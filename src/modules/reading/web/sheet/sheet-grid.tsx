import { memo } from 'react';
import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { MarkedText } from '#platform/web/ui/text-with-highlights.tsx';
import { columnName, ROW_HEIGHT } from './sheet-rows.ts';

type RowProps = {
  /** From 0. */
  row: number;
  cells: string[] | undefined;
  columns: number;
  needle: string;
  /** The column of the cell looked at, -1 for none. */
  active: number;
};

const corner = 'sticky left-0 z-1 border-r border-line bg-sunken text-center font-normal text-ink-2';

/** Letters above the columns, and the sheet's own first row, which stays in view. */
export function SheetHead({
  columns,
  header,
  ...rest
}: Omit<RowProps, 'row' | 'cells'> & { header: string[] | undefined }) {
  return (
    <thead className="sticky top-0 z-2 bg-surface">
      <tr aria-rowindex={1} style={{ height: 26 }}>
        <th aria-label="行号" className={`${corner} border-b`} />
        {Array.from({ length: columns }, (_, column) => (
          <th
            key={columnName(column)}
            scope="col"
            className="border-r border-b border-line bg-sunken text-12 font-normal text-ink-2"
          >
            {columnName(column)}
          </th>
        ))}
      </tr>
      {header ? <SheetRow row={0} cells={header} columns={columns} isHeader {...rest} /> : null}
    </thead>
  );
}

/** One row of fixed height, so that a long sheet knows where each of them lies. */
export const SheetRow = memo(function SheetRow({
  row,
  cells,
  columns,
  needle,
  active,
  isHeader = false,
}: RowProps & { isHeader?: boolean }) {
  return (
    <tr
      // Behind the row of letters.
      aria-rowindex={row + 2}
      style={{ height: ROW_HEIGHT }}
      className={isHeader ? 'font-medium shadow-[0_1px_0_var(--line-strong)]' : ''}
    >
      <th scope="row" className={`${corner} border-b text-12 tabular-nums`}>
        {row + 1}
      </th>
      {[...Array(columns).keys()].map((column) => {
        const text = cells?.[column] ?? '';
        return (
          <td
            key={column}
            data-cell={`${row},${column}`}
            data-active={column === active || undefined}
            className="truncate border-r border-b border-line px-2.5 data-active:outline-2 data-active:-outline-offset-2 data-active:outline-bean"
          >
            {cells ? (
              <MarkedText
                text={text}
                spans={needle === '' ? [] : findOccurrences(normalizeWithOffsets(text), needle)}
                className="bg-[#ffd54a] text-[#1e221d]"
              />
            ) : (
              <Coming />
            )}
          </td>
        );
      })}
    </tr>
  );
});

const Coming = () => <span className="block h-3 w-2/3 rounded-sm bg-sunken" />;
