/** Bounds of a line as it is read: `left` is where reading starts, `top` is where the previous line is. */
export type LineBox = { left: number; top: number; right: number; bottom: number };
type Row<Line extends LineBox> = Line[];

/** Two lines are in one row if their middles are closer than this share of the smaller height. */
const MAX_ROW_OFFSET_RATIO = 0.5;
/** Columns of text have at least this number of rows. */
const MIN_COLUMN_ROWS = 3;
/** Their rows are mostly filled; the cells of a table are not. */
const MIN_FILLED_SHARE = 0.7;
/** A column of text is at least this number of line heights wide. */
const MIN_COLUMN_WIDTH_RATIO = 7;
/** The space between columns of text, in line heights. */
const MIN_GUTTER_RATIO = 0.6;

const middleOf = ({ top, bottom }: LineBox) => (top + bottom) / 2;
const heightOf = ({ top, bottom }: LineBox) => bottom - top;
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Orders the lines of a page and groups those that stand beside each other. Columns of running text are read one after
 * the other; everything else, such as a table, row by row.
 */
export function orderLines<Line extends LineBox>(lines: readonly Line[]): Row<Line>[] {
  return orderRows(groupIntoRows(lines));
}

function groupIntoRows<Line extends LineBox>(lines: readonly Line[]): Row<Line>[] {
  const rows: Row<Line>[] = [];
  for (const line of lines.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    if (row && isBeside(row, line)) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.left - b.left));
}

/** Boxes of neighbours may overlap a little, because they include a margin. */
function isBeside(row: readonly LineBox[], line: LineBox): boolean {
  const previous = row.at(-1) ?? line;
  const offset = middleOf(line) - middleOf(previous);
  const margin = heightOf(line);
  return (
    offset < Math.min(heightOf(line), heightOf(previous)) * MAX_ROW_OFFSET_RATIO &&
    row.every(({ left, right }) => line.left >= right - margin || line.right <= left + margin)
  );
}

function orderRows<Line extends LineBox>(rows: Row<Line>[]): Row<Line>[] {
  const block = findColumns(rows);
  if (!block) return rows;
  const { from, to, gutter } = block;
  const columnLines = rows.slice(from, to).flat();
  const [before, after] = [
    columnLines.filter((line) => middleX(line) < gutter),
    columnLines.filter((line) => middleX(line) >= gutter),
  ];
  return [
    ...orderRows(rows.slice(0, from)),
    ...orderRows(groupIntoRows(before)),
    ...orderRows(groupIntoRows(after)),
    ...orderRows(rows.slice(to)),
  ];
}

const middleX = ({ left, right }: LineBox) => (left + right) / 2;

type ColumnBlock = { from: number; to: number; gutter: number };

/** Finds the longest run of rows that a vertical gap divides into columns of text. */
function findColumns(rows: readonly LineBox[][]): ColumnBlock | null {
  let best: ColumnBlock | null = null;
  for (const gutter of listGutters(rows)) {
    for (const run of listUncrossedRuns(rows, gutter)) {
      const isLonger = !best || run.to - run.from > best.to - best.from;
      if (isLonger && areTextColumns(rows.slice(run.from, run.to), gutter)) best = run;
    }
  }
  return best;
}

/** Middles of the gaps within rows. */
function listGutters(rows: readonly LineBox[][]): number[] {
  const gaps = rows.flatMap((row) =>
    row.slice(1).map((line, index) => ({ left: row[index]?.right ?? 0, right: line.left, height: heightOf(line) })),
  );
  const wideGaps = gaps.filter(({ left, right, height }) => right - left > height * MIN_GUTTER_RATIO);
  return [...new Set(wideGaps.map(({ left, right }) => Math.round((left + right) / 2)))];
}

function listUncrossedRuns(rows: readonly LineBox[][], gutter: number): ColumnBlock[] {
  const runs: ColumnBlock[] = [];
  let from = 0;
  for (let to = 0; to <= rows.length; to++) {
    const row = rows[to];
    if (row?.every(({ left, right }) => right < gutter || left > gutter)) continue;
    if (to > from) runs.push({ from, to, gutter });
    from = to + 1;
  }
  return runs.map((run) => trimRun(rows, run));
}

/** Removes rows at both ends that have lines on one side only: a heading or the end of a paragraph of one column. */
function trimRun(rows: readonly LineBox[][], { from, to, gutter }: ColumnBlock): ColumnBlock {
  const isDivided = (index: number) =>
    (rows[index] ?? []).some(({ right }) => right < gutter) && (rows[index] ?? []).some(({ left }) => left > gutter);
  let [first, last] = [from, to];
  while (first < last && !isDivided(first)) first++;
  return { from: first, to: last, gutter };
}

function areTextColumns(rows: readonly LineBox[][], gutter: number): boolean {
  const lines = rows.flat();
  const sides = [lines.filter(({ right }) => right < gutter), lines.filter(({ left }) => left > gutter)];
  return sides.every((side) => {
    const columnRows = groupIntoRows(side);
    if (columnRows.length < MIN_COLUMN_ROWS) return false;
    const columnWidth = Math.max(...side.map(({ right }) => right)) - Math.min(...side.map(({ left }) => left));
    if (columnWidth < medianOf(side.map(heightOf)) * MIN_COLUMN_WIDTH_RATIO) return false;
    const filledShares = columnRows.map(
      (row) => row.reduce((sum, { left, right }) => sum + right - left, 0) / columnWidth,
    );
    return medianOf(filledShares) >= MIN_FILLED_SHARE;
  });
}
