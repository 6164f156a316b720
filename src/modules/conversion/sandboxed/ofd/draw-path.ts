import { formatNumber, matrixOperator, pathOperators } from './canvas.ts';
import { drawClips } from './clips.ts';
import { BLACK, readAlpha } from './color.ts';
import { addNote, type Drawing, findStyleAttribute, findStyleElement, styleSources } from './drawing.ts';
import { type AffineMatrix, parseNumberOr, parseNumbers } from './geometry.ts';
import { objectMatrix } from './object-matrix.ts';
import { alphaOperator, type Paint, readPaint, solidPaint } from './paint.ts';
import { parsePathData } from './path-data.ts';
import { childText, type XmlElement } from './xml-tree.ts';

const MAX_SEGMENTS = 200_000;
/** Defaults of GB/T 33190, in millimetres. */
const DEFAULT_LINE_WIDTH = 0.353;
const DEFAULT_MITER_LIMIT = 3.528;
const MAX_DASHES = 32;
const caps: Record<string, number> = { Butt: 0, Round: 1, Square: 2 };
const joins: Record<string, number> = { Miter: 0, Round: 1, Bevel: 2 };

export async function drawPath(drawing: Drawing, object: XmlElement): Promise<void> {
  const { canvas } = drawing;
  const segments = parsePathData(childText(object, 'AbbreviatedData'), MAX_SEGMENTS);
  if (segments === null) return addNote(drawing, '过于复杂的图形');
  if (segments.length === 0) return;
  const sources = styleSources(drawing, object);
  const matrix = objectMatrix(drawing.matrix, object);
  const { stroke, fill } = await readPathPaints(drawing, object, sources, matrix);
  if (!stroke && !fill) return;
  const opacity = drawing.alpha * readAlpha(object.attributes.Alpha);
  const operator = pathPaintingOperator(object, { isFilled: fill !== null, isStroked: stroke !== null });
  canvas.push('q');
  await drawClips(drawing, object, matrix);
  canvas.push(
    matrixOperator(matrix),
    alphaOperator(drawing, opacity * (fill?.alpha ?? 1), opacity * (stroke?.alpha ?? 1)),
    ...(fill ? [fill.operators] : []),
    ...(stroke ? [stroke.operators, lineStyleOperators(sources)] : []),
    pathOperators(segments),
    operator,
    'Q',
  );
}

type PathPaints = { stroke: Paint | null; fill: Paint | null };

async function readPathPaints(
  drawing: Drawing,
  object: XmlElement,
  sources: XmlElement[],
  matrix: AffineMatrix,
): Promise<PathPaints> {
  const strokeColor = findStyleElement(sources, 'StrokeColor');
  const fillColor = findStyleElement(sources, 'FillColor');
  const isStroked = object.attributes.Stroke !== 'false';
  const isFilled = object.attributes.Fill === 'true' && fillColor !== null;
  return {
    stroke: isStroked
      ? ((strokeColor && (await readPaint(drawing, strokeColor, { use: 'stroke', matrix }))) ??
        solidPaint(BLACK, 'stroke'))
      : null,
    fill: isFilled ? await readPaint(drawing, fillColor, { use: 'fill', matrix }) : null,
  };
}

function pathPaintingOperator({ attributes }: XmlElement, paints: { isFilled: boolean; isStroked: boolean }): string {
  const rule = attributes.Rule === 'Even-Odd' ? '*' : '';
  if (paints.isFilled && paints.isStroked) return `B${rule}`;
  return paints.isFilled ? `f${rule}` : 'S';
}

export const readLineWidth = (sources: XmlElement[]): number =>
  Math.max(0, parseNumberOr(findStyleAttribute(sources, 'LineWidth'), DEFAULT_LINE_WIDTH));

function lineStyleOperators(sources: XmlElement[]): string {
  const find = (name: string) => findStyleAttribute(sources, name);
  const dashes = parseNumbers(find('DashPattern')).slice(0, MAX_DASHES);
  const isDashed = dashes.length > 0 && dashes.every((length) => length >= 0) && dashes.some((length) => length > 0);
  return [
    `${formatNumber(readLineWidth(sources))} w`,
    `${caps[find('Cap') ?? 'Butt'] ?? 0} J`,
    `${joins[find('Join') ?? 'Miter'] ?? 0} j`,
    `${formatNumber(Math.max(1, parseNumberOr(find('MiterLimit'), DEFAULT_MITER_LIMIT)))} M`,
    ...(isDashed
      ? [`[${dashes.map(formatNumber).join(' ')}] ${formatNumber(parseNumberOr(find('DashOffset'), 0))} d`]
      : []),
  ].join(' ');
}
