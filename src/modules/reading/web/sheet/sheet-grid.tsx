import { memo } from 'react';
import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { TextWithHighlights } from '#platform/web/ui/text-with-highlights.tsx';
import { ROW_HEIGHT_PX } from './sheet-rows.ts';

type RowProps = {
  /** Zero-based. */
  row: number;
  /** Row number in the workbook. */
  label: string;
  cells: string[] | undefined;
  columns: number;
  needle: string;
  /** Column of the selected cell, -1 for none. */
  active: number;
};

const headerCellClass = 'sticky left-0 z-1 border-r border-line bg-sunken text-center font-normal text-ink-2';

/** Column letters and the first row of the sheet, which stay visible. */
export function SheetHead({
  columnLabels,
  header,
  ...rest
}: Omit<RowProps, 'row' | 'cells'> & { columnLabels: string[]; header: string[] | undefined }) {
  return (
    <thead className="sticky top-0 z-2 bg-surface">
      <tr aria-rowindex={1} style={{ height: 26 }}>
        <th aria-label="行号" className={`${headerCellClass} border-b`} />
        {columnLabels.map((label) => (
          <th
            key={label}
            scope="col"
            className="border-r border-b border-line bg-sunken text-12 font-normal text-ink-2"
          >
            {label}
          </th>
        ))}
      </tr>
      {header ? <SheetRow row={0} cells={header} isHeader {...rest} /> : null}
    </thead>
  );
}

/** Fixed height, so that row positions can be computed. */
export const SheetRow = memo(function SheetRow({
  row,
  label,
  cells,
  columns,
  needle,
  active,
  isHeader = false,
}: RowProps & { isHeader?: boolean }) {
  return (
    <tr
      // After the row of column letters.
      aria-rowindex={row + 2}
      style={{ height: ROW_HEIGHT_PX }}
      className={isHeader ? 'font-medium shadow-[0_1px_0_var(--line-strong)]' : ''}
    >
      <th scope="row" className={`${headerCellClass} border-b text-12 tabular-nums`}>
        {label}
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
              <TextWithHighlights
                text={text}
                spans={needle === '' ? [] : findOccurrences(normalizeWithOffsets(text), needle)}
                className="bg-[#ffd54a] text-[#1e221d]"
              />
            ) : (
              <CellPlaceholder />
            )}
          </td>
        );
      })}
    </tr>
  );
});

const CellPlaceholder = () => <span className="block h-3 w-2/3 rounded-sm bg-sunken" />;
