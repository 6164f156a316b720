import { DomUtils, ElementType } from 'htmlparser2';
import { cleanCellText } from '../sheet/limits.ts';
import { findAttributeValue, findElementsByLocalName, localName, type XmlNodes } from '../xml-elements.ts';
import { MAX_LABEL_LENGTH } from './picture-list.ts';
import { advance, type SheetGeometry } from './sheet-geometry.ts';

type Elements = ReturnType<typeof findElementsByLocalName>;
type AnchorElement = Elements[number];

/** Positions as in `PlacedPicture`. */
type Area = { row: number; column: number; endRow: number; endColumn: number };
/** Shares that are cut off at the edges of a picture. */
export type Crop = { left: number; top: number; right: number; bottom: number };
/** `relation`: id of the relation to the part with the picture or the chart. */
export type AnchoredDrawing = Area & {
  kind: 'picture' | 'chart';
  relation: string;
  crop: Crop | null;
  /** What the author says that it shows. */
  label: string;
};

const EMU_PER_PIXEL = 9_525;
const anchorNames = ['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'];

/** Pictures and charts of a drawing part, with those in groups. Hidden ones are left out. */
export function readAnchors(drawing: XmlNodes, geometry: SheetGeometry, maxAnchors: number): AnchoredDrawing[] {
  const anchors = findElementsByLocalName(drawing, ...anchorNames).slice(0, maxAnchors);
  return anchors.flatMap((anchor) => {
    const area = areaOf(anchor, geometry);
    return area ? drawingsIn(anchor.children, area) : [];
  });
}

const childElements = (nodes: XmlNodes): Elements => nodes.filter(DomUtils.isTag);
const childNamed = ({ children }: AnchorElement, name: string): AnchorElement | undefined =>
  childElements(children).find((child) => localName(child.name) === name);

/** Text of a child as a number, 0 for a missing one. */
const numberIn = (element: AnchorElement, name: string): number => {
  const [text] = childNamed(element, name)?.children ?? [];
  return text?.type === ElementType.Text ? Number(text.data) || 0 : 0;
};
const pixelsOf = (element: AnchorElement | undefined, name: string): number =>
  (Number(element?.attribs[name]) || 0) / EMU_PER_PIXEL;

function areaOf(anchor: AnchorElement, geometry: SheetGeometry): Area | null {
  const [from, to, size] = ['from', 'to', 'ext'].map((name) => childNamed(anchor, name));
  if (![from, to].every((cell) => !cell || isCellOfSheet(cell))) return null;
  const start = from ? cellPosition(from, geometry) : positionFromPixels(childNamed(anchor, 'pos'), geometry);
  if (to) {
    const end = cellPosition(to, geometry);
    return validArea({ ...start, endRow: end.row, endColumn: end.column });
  }
  return validArea({
    ...start,
    endRow: advance(start.row, pixelsOf(size, 'cy'), geometry.rowHeight),
    endColumn: advance(start.column, pixelsOf(size, 'cx'), geometry.columnWidth),
  });
}

/** The largest sheet of Excel. */
const [MAX_SHEET_ROWS, MAX_SHEET_COLUMNS] = [1_048_576, 16_384];

const isCellOfSheet = (cell: AnchorElement) =>
  numberIn(cell, 'row') < MAX_SHEET_ROWS && numberIn(cell, 'col') < MAX_SHEET_COLUMNS;

const validArea = (area: Area): Area | null =>
  area.row >= 0 && area.column >= 0 && area.endRow > area.row && area.endColumn > area.column ? area : null;

function cellPosition(cell: AnchorElement, { columnWidth, rowHeight }: SheetGeometry) {
  const position = (index: number, offset: number, size: number) =>
    index + (size > 0 ? Math.min(0.999, Math.max(0, offset / EMU_PER_PIXEL / size)) : 0);
  const [row, column] = [numberIn(cell, 'row'), numberIn(cell, 'col')];
  return {
    row: position(row, numberIn(cell, 'rowOff'), rowHeight(row)),
    column: position(column, numberIn(cell, 'colOff'), columnWidth(column)),
  };
}

const positionFromPixels = (offset: AnchorElement | undefined, { columnWidth, rowHeight }: SheetGeometry) => ({
  row: advance(0, pixelsOf(offset, 'y'), rowHeight),
  column: advance(0, pixelsOf(offset, 'x'), columnWidth),
});

/** XML booleans are "1" or "true". */
const isHiddenShape = (shape: AnchorElement) =>
  childElements(shape.children)
    .flatMap((properties) => childElements(properties.children))
    .some(({ name, attribs }) => localName(name) === 'cNvPr' && /^(?:1|true)$/.test(attribs.hidden ?? ''));

function drawingsIn(nodes: XmlNodes, area: Area): AnchoredDrawing[] {
  return childElements(nodes).flatMap((element): AnchoredDrawing[] => {
    const name = localName(element.name);
    if (name === 'AlternateContent') return alternativeDrawings(element, area);
    if (isHiddenShape(element)) return [];
    if (name === 'grpSp')
      return childElements(element.children).flatMap((child) => drawingsIn([child], areaInGroup(element, child, area)));
    if (name === 'pic') return pictureIn(element, area);
    return name === 'graphicFrame' ? chartIn(element, area) : [];
  });
}

/** A drawing for newer programs, with one for older programs that is often a picture. */
function alternativeDrawings(element: AnchorElement, area: Area): AnchoredDrawing[] {
  const contentOf = (name: string) => drawingsIn(childNamed(element, name)?.children ?? [], area);
  const drawings = contentOf('Choice');
  return drawings.length > 0 ? drawings : contentOf('Fallback');
}

const pictureIn = (picture: AnchorElement, area: Area): AnchoredDrawing[] =>
  findElementsByLocalName(picture.children, 'blip')
    .slice(0, 1)
    .flatMap(({ attribs }) => {
      const relation = findAttributeValue(attribs, 'embed');
      const label = labelOf(picture);
      return relation ? [{ ...area, kind: 'picture' as const, relation, crop: cropOf(picture), label }] : [];
    });

/** Also in files of the strict variant of the format. */
const CHART_URI = /\/drawingml\/(?:2006\/)?chart$/;

/** Charts of types that were added in 2016 have another namespace; no program here draws them. */
function chartIn(frame: AnchorElement, area: Area): AnchoredDrawing[] {
  const [data] = findElementsByLocalName(frame.children, 'graphicData');
  if (!data || !CHART_URI.test(data.attribs.uri ?? '')) return [];
  const [chart] = findElementsByLocalName(data.children, 'chart');
  const relation = findAttributeValue(chart?.attribs ?? {}, 'id');
  return relation ? [{ ...area, kind: 'chart', relation, crop: null, label: labelOf(frame) }] : [];
}

/** Alternative text of a picture or chart, for readers who do not see it. */
function labelOf(shape: AnchorElement): string {
  const [properties] = findElementsByLocalName(shape.children, 'cNvPr');
  return cleanCellText(properties?.attribs.descr ?? '')
    .trim()
    .slice(0, MAX_LABEL_LENGTH)
    .toWellFormed();
}

/** Negative values, which add a border, count as 0. */
export function cropOf(picture: AnchorElement): Crop | null {
  const [rectangle] = findElementsByLocalName(picture.children, 'srcRect');
  const share = (name: string) => Math.min(0.99, Math.max(0, (Number(rectangle?.attribs[name]) || 0) / 100_000));
  const crop = { left: share('l'), top: share('t'), right: share('r'), bottom: share('b') };
  return Object.values(crop).some((value) => value > 0) ? crop : null;
}

type ShapeBox = { x: number; y: number; width: number; height: number };

/** Area of a shape of a group, which has its own units. */
function areaInGroup(group: AnchorElement, child: AnchorElement, area: Area): Area {
  const units = boxOf(group, 'chOff', 'chExt');
  const box = boxOf(child, 'off', 'ext');
  if (!units || !box) return area;
  const [rows, columns] = [area.endRow - area.row, area.endColumn - area.column];
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return {
    row: area.row + rows * within((box.y - units.y) / units.height),
    endRow: area.row + rows * within((box.y + box.height - units.y) / units.height),
    column: area.column + columns * within((box.x - units.x) / units.width),
    endColumn: area.column + columns * within((box.x + box.width - units.x) / units.width),
  };
}

/** Position and size in the transformation of a shape or group; null without a size. */
function boxOf(shape: AnchorElement, offsetName: string, sizeName: string): ShapeBox | null {
  const properties = childElements(shape.children).find(({ name }) => /^(?:.*:)?(?:spPr|grpSpPr)$/.test(name));
  const transformation = properties ? childNamed(properties, 'xfrm') : childNamed(shape, 'xfrm');
  if (!transformation) return null;
  const [offset, size] = [childNamed(transformation, offsetName), childNamed(transformation, sizeName)];
  const box = {
    x: pixelsOf(offset, 'x'),
    y: pixelsOf(offset, 'y'),
    width: pixelsOf(size, 'cx'),
    height: pixelsOf(size, 'cy'),
  };
  return box.width > 0 && box.height > 0 ? box : null;
}
