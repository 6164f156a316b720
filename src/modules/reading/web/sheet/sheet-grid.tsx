import { memo } from 'react';
import type { CellStyle } from '#modules/conversion/cell-style.contract.ts';
import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { TextWithHighlights } from '#platform/web/ui/text-with-highlights.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import type { RowRange } from '../visible-rows.ts';
import { cellAppearance } from './cell-appearance.ts';
import { drawnCells, type MergedPart, styleOfPart } from './merged-cells.ts';
import { type Cell, ROW_HEIGHT_PX } from './sheet-rows.ts';
import { ROW_NUMBER_WIDTH_PX } from './sheet-scroll.ts';
import type { useSheetCells } from './use-sheet-cells.ts';

type SheetTableProps = Pick<
  ReturnType<typeof useSheetCells>,
  'widths' | 'cellsOf' | 'stylesOf' | 'mergedPartsOf' | 'labelOf'
> & {
  letters: string[];
  total: number;
  /** Rows to render. */
  rows: RowRange;
  selectedCell: Cell | null;
  needle: string;
};

/** Renders the given rows, with spacers in place of the others. */
export function SheetTable({ letters, total, rows, selectedCell, needle, widths, ...cells }: SheetTableProps) {
  const isHydrated = useHydrated();
  // The first row is in the table head.
  const from = Math.max(1, rows.from);
  const bodyRows = Array.from({ length: Math.max(0, Math.min(total, rows.to) - from) }, (_, at) => from + at);
  const propsOf = (row: number) => ({
    row,
    label: cells.labelOf(row),
    cells: cells.cellsOf(row),
    styles: cells.stylesOf(row),
    mergedParts: cells.mergedPartsOf(row),
    columns: widths.length,
    needle,
    active: selectedCell?.row === row ? selectedCell.column : -1,
  });
  return (
    <table
      aria-rowcount={total + 1}
      className="table-fixed border-separate border-spacing-0 text-13 leading-[1.4]"
      style={{ width: ROW_NUMBER_WIDTH_PX + widths.reduce((sum, width) => sum + width, 0) }}
    >
      <colgroup>
        <col style={{ width: ROW_NUMBER_WIDTH_PX }} />
        {widths.map((width, column) => (
          <col key={letters[column]} style={{ width }} />
        ))}
      </colgroup>
      <SheetHead letters={letters} firstRow={propsOf(0)} />
      <tbody>
        <RowSpacer rows={from - 1} columns={widths.length} />
        {bodyRows.map((row) => (
          <SheetRow key={row} {...propsOf(row)} />
        ))}
        <RowSpacer rows={isHydrated ? total - rows.to : 0} columns={widths.length} />
      </tbody>
    </table>
  );
}

/** Placeholder for rows that are not rendered. */
const RowSpacer = ({ rows, columns }: { rows: number; columns: number }) =>
  rows > 0 ? (
    <tr style={{ height: rows * ROW_HEIGHT_PX }}>
      <td colSpan={columns + 1} />
    </tr>
  ) : null;

type RowProps = {
  /** Zero-based. */
  row: number;
  /** Row number in the workbook. */
  label: string;
  cells: string[] | undefined;
  styles: (CellStyle | undefined)[] | undefined;
  mergedParts: MergedPart[] | undefined;
  columns: number;
  needle: string;
  /** Column of the selected cell, -1 for none. */
  active: number;
};

const headerCellClass = 'sticky left-0 z-1 border-r border-line bg-sunken text-center font-normal text-ink-2';

/** Column letters and the first row of the sheet, which stay visible. */
function SheetHead({ letters, firstRow }: { letters: string[]; firstRow: RowProps }) {
  return (
    <thead className="sticky top-0 z-2 bg-surface">
      <tr aria-rowindex={1} style={{ height: 26 }}>
        <th aria-label="行号" className={`${headerCellClass} border-b`} />
        {letters.map((letter) => (
          <th
            key={letter}
            scope="col"
            className="border-r border-b border-line bg-sunken text-12 font-normal text-ink-2"
          >
            {letter}
          </th>
        ))}
      </tr>
      {firstRow.cells ? <SheetRow isHeader {...firstRow} /> : null}
    </thead>
  );
}

/** Fixed height, so that row positions can be computed. */
const SheetRow = memo(function SheetRow({
  row,
  label,
  cells,
  styles,
  mergedParts,
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
      {drawnCells(columns, mergedParts).map((cell) => {
        const { column, span, part } = cell;
        const text = part?.hasRowAbove ? '' : (cells?.[column] ?? '');
        return (
          <td
            key={column}
            data-cell={`${row},${column}`}
            colSpan={span}
            data-active={(active >= column && active < column + span) || undefined}
            data-continues={part?.hasRowBelow || undefined}
            style={cellAppearance(styleOfPart(styles, cell))}
            className="truncate border-r data-continues:border-b-transparent border-b border-line px-2.5 data-active:outline-2 data-active:-outline-offset-2 data-active:outline-bean"
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
