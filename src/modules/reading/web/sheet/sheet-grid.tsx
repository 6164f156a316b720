import { type CSSProperties, memo, useMemo } from 'react';
import type { CellStyle } from '#modules/conversion/cell-style.contract.ts';
import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { TextWithHighlights } from '#platform/web/ui/text-with-highlights.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import type { RowRange } from '../visible-rows.ts';
import { cellAppearance } from './cell-appearance.ts';
import { type CellLink, LinkedText } from './cell-link.tsx';
import { type FrozenPanesInView, frozenColumnOffsets, LETTERS_HEIGHT_PX } from './frozen-panes.ts';
import { drawnCells, type MergedPart, styleOfPart } from './merged-cells.ts';
import { type Cell, ROW_HEIGHT_PX } from './sheet-rows.ts';
import { ROW_NUMBER_WIDTH_PX } from './sheet-scroll.ts';
import type { useSheetCells } from './use-sheet-cells.ts';

type SheetTableProps = Pick<
  ReturnType<typeof useSheetCells>,
  'widths' | 'cellsOf' | 'stylesOf' | 'mergedPartsOf' | 'linksOf' | 'labelOf'
> & {
  letters: string[];
  total: number;
  /** Rows to render. */
  rows: RowRange;
  frozen: FrozenPanesInView;
  selectedCell: Cell | null;
  needle: string;
};

/** Renders the given rows, with spacers in place of the others. */
export function SheetTable({ letters, total, rows, frozen, selectedCell, needle, widths, ...cells }: SheetTableProps) {
  const isHydrated = useHydrated();
  const frozenRows = Math.min(frozen.rows, total);
  // The frozen rows are in the table head.
  const from = Math.max(frozenRows, rows.from);
  const bodyRows = rowsBetween(from, Math.min(total, rows.to));
  const frozenOffsets = useMemo(() => frozenColumnOffsets(widths, frozen.columns), [widths, frozen.columns]);
  const propsOf = (row: number) => ({
    row,
    label: cells.labelOf(row),
    cells: cells.cellsOf(row),
    styles: cells.stylesOf(row),
    mergedParts: cells.mergedPartsOf(row),
    links: cells.linksOf(row),
    columns: widths.length,
    frozenOffsets,
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
      <SheetHead letters={letters} rows={rowsBetween(0, frozenRows).map(propsOf)} frozenOffsets={frozenOffsets} />
      <tbody>
        <RowSpacer rows={from - frozenRows} columns={widths.length} />
        {bodyRows.map((row) => (
          <SheetRow key={row} {...propsOf(row)} />
        ))}
        <RowSpacer rows={isHydrated ? total - rows.to : 0} columns={widths.length} />
      </tbody>
    </table>
  );
}

const rowsBetween = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

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
  /** By column. */
  links: Map<number, CellLink> | undefined;
  columns: number;
  /** Distance of each frozen column from the left edge. */
  frozenOffsets: number[];
  needle: string;
  /** Column of the selected cell, -1 for none. */
  active: number;
};

const headerCellClass = 'sticky left-0 z-1 border-r border-line bg-sunken text-center font-normal text-ink-2';

/** A cell of a frozen column covers the others while they scroll. */
const frozenCellStyle = (frozenOffsets: number[], { column, span }: { column: number; span: number }) =>
  column + span <= frozenOffsets.length
    ? ({ position: 'sticky', left: frozenOffsets[column], zIndex: 1 } as const)
    : undefined;

const isLastFrozen = (frozenOffsets: number[], column: number) => column === frozenOffsets.length - 1 || undefined;

/** Column letters and the frozen rows. */
function SheetHead({ letters, rows, frozenOffsets }: { letters: string[]; rows: RowProps[]; frozenOffsets: number[] }) {
  return (
    <thead className="sticky top-0 z-3 bg-surface">
      <tr aria-rowindex={1} style={{ height: LETTERS_HEIGHT_PX }}>
        <th aria-label="行号" className={`${headerCellClass} border-b`} />
        {letters.map((letter, column) => (
          <th
            key={letter}
            scope="col"
            data-frozen-end={isLastFrozen(frozenOffsets, column)}
            style={frozenCellStyle(frozenOffsets, { column, span: 1 })}
            className="border-r border-b border-line bg-sunken text-12 font-normal text-ink-2 data-frozen-end:border-r-line-strong"
          >
            {letter}
          </th>
        ))}
      </tr>
      {rows.map((row, at) =>
        row.cells ? <SheetRow key={row.row} isLastOfHead={at === rows.length - 1} {...row} /> : null,
      )}
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
  links,
  columns,
  needle,
  active,
  frozenOffsets,
  isLastOfHead = false,
}: RowProps & { isLastOfHead?: boolean }) {
  return (
    <tr
      // After the row of column letters.
      aria-rowindex={row + 2}
      style={{ height: ROW_HEIGHT_PX }}
      className={isLastOfHead ? `shadow-[0_1px_0_var(--line-strong)] ${row === 0 ? 'font-medium' : ''}` : ''}
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
            data-frozen-end={isLastFrozen(frozenOffsets, column + span - 1)}
            style={cellStyle(cellAppearance(styleOfPart(styles, cell)), frozenCellStyle(frozenOffsets, cell))}
            className="truncate border-r data-frozen-end:border-r-line-strong data-continues:border-b-transparent border-b border-line px-2.5 data-active:outline-2 data-active:-outline-offset-2 data-active:outline-bean"
          >
            {cells ? <CellText text={text} needle={needle} link={links?.get(column)} /> : <CellPlaceholder />}
          </td>
        );
      })}
    </tr>
  );
});

function CellText({ text, needle, link }: { text: string; needle: string; link: CellLink | undefined }) {
  const markedText = (
    <TextWithHighlights
      text={text}
      spans={needle === '' ? [] : findOccurrences(normalizeWithOffsets(text), needle)}
      className="bg-[#ffd54a] text-[#1e221d]"
    />
  );
  return link && text ? <LinkedText link={link}>{markedText}</LinkedText> : markedText;
}

const cellStyle = (appearance: CSSProperties | undefined, frozenStyle: CSSProperties | undefined) =>
  frozenStyle ? { backgroundColor: 'var(--surface)', ...appearance, ...frozenStyle } : appearance;

const CellPlaceholder = () => <span className="block h-3 w-2/3 rounded-sm bg-sunken" />;
