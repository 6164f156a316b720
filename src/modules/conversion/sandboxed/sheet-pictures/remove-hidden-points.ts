import { DomUtils } from 'htmlparser2';
import { findElementsByLocalName, localName, parseXml, type XmlNodes } from '../xml-elements.ts';
import { type ChartRange, parseChartReference } from './chart-reference.ts';
import type { WorkbookVisibility } from './workbook-visibility.ts';

type ChartElement = ReturnType<typeof findElementsByLocalName>[number];
/** New index of each point, undefined for one that is removed; null if all points stay. */
type PointIndexes = readonly (number | undefined)[] | null;
/** Whether each row and each column of a range is hidden. */
type HiddenFlags = { rows: boolean[]; columns: boolean[] };

const ALL_POINTS_REMOVED: PointIndexes = [];
/** One column of the largest sheet. */
const MAX_CELLS = 1_048_576;

const childrenNamed = ({ children }: ChartElement, name: string): ChartElement[] =>
  children.filter(DomUtils.isTag).filter((child) => localName(child.name) === name);
const cacheOf = ({ children }: ChartElement) =>
  children.filter(DomUtils.isTag).find(({ name }) => name.endsWith('Cache'));
const valueAttribute = (element: ChartElement | undefined) => element?.attribs.val;

/** The XML of a chart of a workbook without hidden points. */
export async function withoutHiddenPoints(part: Buffer, workbook: WorkbookVisibility): Promise<Buffer> {
  const chart = parseXml(part);
  if (!(await removeHiddenPoints(chart, workbook))) return part;
  return Buffer.from(chart.map((node) => DomUtils.getOuterHTML(node, { xmlMode: true })).join(''));
}

/**
 * Removes the values that Excel does not show in a chart, but other programs store with it: series that a filter of the
 * chart leaves out, and points of hidden rows and columns. Returns whether the chart has changed.
 */
export async function removeHiddenPoints(chart: XmlNodes, workbook: WorkbookVisibility): Promise<boolean> {
  const filteredSeries = DomUtils.findAll(({ name }) => localName(name).startsWith('filtered'), chart);
  for (const element of filteredSeries) DomUtils.removeElement(element);
  let isChanged = filteredSeries.length > 0;
  if (!plotsVisibleCellsOnly(chart)) return isChanged;
  for (const series of findElementsByLocalName(chart, 'ser'))
    if (await removePointsOfSeries(series, workbook)) isChanged = true;
  return isChanged;
}

/** Excel also shows hidden cells in a chart without this element. */
function plotsVisibleCellsOnly(chart: XmlNodes): boolean {
  const [element] = findElementsByLocalName(chart, 'plotVisOnly');
  return element !== undefined && !['0', 'false'].includes(valueAttribute(element) ?? '');
}

async function removePointsOfSeries(series: ChartElement, workbook: WorkbookVisibility): Promise<boolean> {
  let valueIndexes: PointIndexes = null;
  let isChanged = false;
  for (const reference of DomUtils.findAll((element) => cacheOf(element) !== undefined, series.children)) {
    const indexes = await removePointsOfReference(reference, workbook);
    isChanged ||= indexes !== null;
    const parent = reference.parent && DomUtils.isTag(reference.parent) ? localName(reference.parent.name) : '';
    if (parent === 'val' || parent === 'yVal') valueIndexes = indexes;
  }
  if (valueIndexes?.every((index) => index === undefined)) DomUtils.removeElement(series);
  else if (valueIndexes) renumberFormats(series, valueIndexes);
  return isChanged;
}

/** Styles and labels of single points; labels may contain values. */
function renumberFormats(series: ChartElement, indexes: NonNullable<PointIndexes>): void {
  for (const format of findElementsByLocalName(series.children, 'dPt', 'dLbl')) {
    const [position] = childrenNamed(format, 'idx');
    const index = indexes[Number(valueAttribute(position))];
    if (!position || index === undefined) DomUtils.removeElement(format);
    else position.attribs.val = String(index);
  }
}

async function removePointsOfReference(reference: ChartElement, workbook: WorkbookVisibility): Promise<PointIndexes> {
  const cache = cacheOf(reference);
  if (!cache) return null;
  const ranges = parseChartReference(DomUtils.textContent(childrenNamed(reference, 'f')));
  const flags = ranges && (await findHiddenFlags(ranges, workbook));
  if (flags?.length === 0) return null;
  const levels = childrenNamed(cache, 'lvl');
  // Where it is unknown which cells a chart shows, it may show hidden ones.
  if (!flags && !(await workbook.hasHiddenCells())) return null;
  if (flags && levels.length > 0) return removePointsOfLevels(cache, levels, flags);
  for (const level of levels) DomUtils.removeElement(level);
  const indexes = flags ? visiblePointIndexes(flags.flatMap(hiddenCells), countPoints(cache)) : ALL_POINTS_REMOVED;
  renumberPoints(cache, indexes);
  return indexes;
}

/** Empty if no sheet of the ranges has hidden cells; null for a missing sheet and too many cells. */
async function findHiddenFlags(ranges: ChartRange[], workbook: WorkbookVisibility): Promise<HiddenFlags[] | null> {
  const cells = ranges.map(({ row, lastRow, column, lastColumn }) => (lastRow - row + 1) * (lastColumn - column + 1));
  const visibilities = await Promise.all(ranges.map(({ sheet }) => workbook.visibilityOf(sheet)));
  if (visibilities.every((visibility) => visibility?.hasHiddenCells === false)) return [];
  if (cells.reduce((sum, count) => sum + count, 0) > MAX_CELLS) return null;
  const flags: HiddenFlags[] = [];
  for (const [index, { row, lastRow, column, lastColumn }] of ranges.entries()) {
    const visibility = visibilities[index];
    if (!visibility) return null;
    flags.push({
      rows: Array.from({ length: lastRow - row + 1 }, (_, offset) => visibility.isRowHidden(row + offset)),
      columns: Array.from({ length: lastColumn - column + 1 }, (_, offset) =>
        visibility.isColumnHidden(column + offset),
      ),
    });
  }
  return flags;
}

/** Whether each cell of a range is hidden, row by row. */
function hiddenCells({ rows, columns }: HiddenFlags): boolean[] {
  const cells: boolean[] = [];
  for (const isRowHidden of rows) for (const isColumnHidden of columns) cells.push(isRowHidden || isColumnHidden);
  return cells;
}

/** Excel and LibreOffice store only the points of visible cells, with consecutive indexes; other programs store all. */
function visiblePointIndexes(cells: boolean[], points: number): PointIndexes {
  const visibleCells = cells.filter((isHidden) => !isHidden).length;
  if (visibleCells === cells.length) return null;
  if (visibleCells > 0 && points <= visibleCells) return null;
  // It is unknown which of the cells the points belong to.
  if (points !== cells.length) return ALL_POINTS_REMOVED;
  let nextIndex = 0;
  return cells.map((isHidden) => (isHidden ? undefined : nextIndex++));
}

/** Categories of several levels: each level is a column or a row of the range. The last one comes first. */
function removePointsOfLevels(cache: ChartElement, levels: ChartElement[], flags: HiddenFlags[]): PointIndexes {
  const [{ rows, columns } = { rows: [], columns: [] }, ...otherRanges] = flags;
  if (![...rows, ...columns].some(Boolean) && otherRanges.length === 0) return null;
  const points = Math.max(countPoints(cache), ...levels.map(countPoints));
  const hasLevelColumns = levels.length <= columns.length && points <= rows.length;
  const hasLevelRows = levels.length <= rows.length && points <= columns.length;
  const isKnown = hasLevelColumns !== hasLevelRows && otherRanges.length === 0;
  const [levelCells, pointCells] = hasLevelColumns ? [columns, rows] : [rows, columns];
  const levelIndexes = isKnown ? visiblePointIndexes(levelCells.toReversed(), levels.length) : null;
  const indexes = isKnown ? visiblePointIndexes(pointCells, points) : ALL_POINTS_REMOVED;
  for (const [index, level] of levels.entries()) {
    if (levelIndexes && levelIndexes[index] === undefined) DomUtils.removeElement(level);
    else renumberPoints(level, indexes);
  }
  renumberPoints(cache, indexes);
  return indexes ?? levelIndexes;
}

const pointIndex = (point: ChartElement) => Number(point.attribs.idx);

function countPoints(cache: ChartElement): number {
  const [count] = childrenNamed(cache, 'ptCount');
  return childrenNamed(cache, 'pt').reduce(
    (points, point) => Math.max(points, pointIndex(point) + 1 || 0),
    Number(valueAttribute(count)) || 0,
  );
}

function renumberPoints(cache: ChartElement, indexes: PointIndexes): void {
  if (!indexes) return;
  cache.children = cache.children.filter((child) => {
    if (!DomUtils.isTag(child) || localName(child.name) !== 'pt') return true;
    const index = indexes[pointIndex(child)];
    child.attribs.idx = String(index);
    return index !== undefined;
  });
  const [count] = childrenNamed(cache, 'ptCount');
  if (count) count.attribs.val = String(indexes.filter((index) => index !== undefined).length);
}
