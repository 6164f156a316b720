import { formatNumber } from './canvas.ts';
import { BLACK, type Color, colorOperator, readAlpha, readColor, rgbOf } from './color.ts';
import { addNote, type Drawing, drawNestedCanvas } from './drawing.ts';
import {
  type AffineMatrix,
  combine,
  IDENTITY,
  parseMatrix,
  parseNumberOr,
  parseNumbers,
  scaling,
  translation,
} from './geometry.ts';
import { findChild, findChildren, type XmlElement } from './xml-tree.ts';

/** Operators that choose a color, gradient or pattern, and its opacity. */
export type Paint = { operators: string; alpha: number; isPattern: boolean };
type PaintOptions = { use: 'fill' | 'stroke'; matrix: AffineMatrix };

/** Cells smaller than this, in millimetres, would be drawn a million times on a page. */
const MIN_CELL_SIZE = 0.3;

/** The paint of a color element; null for one that has no color. */
export async function readPaint(drawing: Drawing, element: XmlElement, options: PaintOptions): Promise<Paint | null> {
  const alpha = readAlpha(element.attributes.Alpha);
  for (const child of element.children) {
    if (child.name === 'AxialShd' || child.name === 'RadialShd') return shadingPaint(drawing, child, alpha, options);
    if (child.name === 'Pattern') return patternPaint(drawing, child, alpha, options);
    if (child.name === 'GouraudShd' || child.name === 'LaGourandShd' || child.name === 'LaGouraudShd')
      return meshPaint(drawing, child, alpha, options);
  }
  const color = readColor(element, drawing.resources);
  return color && solidPaint(color, options.use);
}

export const solidPaint = (color: Color, use: 'fill' | 'stroke'): Paint => ({
  operators: colorOperator(color, use),
  alpha: color.alpha,
  isPattern: false,
});

/** Adds the state for the opacity of an object, if it is not opaque. */
export function alphaOperator({ conversion, canvas }: Drawing, fillAlpha: number, strokeAlpha: number): string {
  if (fillAlpha >= 1 && strokeAlpha >= 1) return '';
  const state = conversion.graphicsState(`/ca ${formatNumber(fillAlpha)} /CA ${formatNumber(strokeAlpha)}`);
  return `${canvas.use(state)} gs`;
}

const patternOperators = (name: string, use: PaintOptions['use']) =>
  use === 'fill' ? `/Pattern cs ${name} scn` : `/Pattern CS ${name} SCN`;

const matrixEntry = (matrix: AffineMatrix) => `/Matrix [${matrix.map(formatNumber).join(' ')}]`;

type Stop = { position: number; color: Color };

function readStops(drawing: Drawing, shading: XmlElement): Stop[] {
  const segments = findChildren(shading, 'Segment');
  const stops = segments.flatMap((segment, index): Stop[] => {
    const element = findChild(segment, 'Color');
    const color = element && readColor(element, drawing.resources);
    const evenPosition = index / Math.max(1, segments.length - 1);
    const position = Math.max(0, Math.min(1, parseNumberOr(segment.attributes.Position, evenPosition)));
    return color ? [{ position, color }] : [];
  });
  return stops.sort((one, other) => one.position - other.position);
}

/** A function from 0 to 1 that interpolates between the colors. */
function stopsFunction(stops: Stop[]): string {
  const format = ({ color }: Stop) => `[${rgbOf(color).map(formatNumber).join(' ')}]`;
  const pieces = stops.slice(1).map((stop, index) => {
    const previous = stops[index] ?? stop;
    return `<< /FunctionType 2 /Domain [0 1] /C0 ${format(previous)} /C1 ${format(stop)} /N 1 >>`;
  });
  const bounds = stops.slice(1, -1).map(({ position }) => formatNumber(position));
  const encode = pieces.map(() => '0 1').join(' ');
  return `<< /FunctionType 3 /Domain [0 1] /Functions [${pieces.join(' ')}] /Bounds [${bounds.join(' ')}] /Encode [${encode}] >>`;
}

function shadingPaint(
  drawing: Drawing,
  shading: XmlElement,
  alpha: number,
  { use, matrix }: PaintOptions,
): Paint | null {
  const { canvas, conversion } = drawing;
  const { attributes } = shading;
  const readStopsOnce = readStops(drawing, shading);
  const [first, last] = [readStopsOnce[0], readStopsOnce.at(-1)];
  if (!first || !last) return null;
  if ((attributes.MapType ?? 'Direct') !== 'Direct') addNote(drawing, '重复的渐变');
  // The function covers the whole range, also when the first and last colors do not.
  const stops = [{ ...first, position: 0 }, ...readStopsOnce, { ...last, position: 1 }];
  const extend = parseNumberOr(attributes.Extend, 0);
  const [startX = 0, startY = 0] = parseNumbers(attributes.StartPoint);
  const [endX = 0, endY = 0] = parseNumbers(attributes.EndPoint);
  const isAxial = shading.name === 'AxialShd';
  const radius = (name: string) => Math.max(0, parseNumberOr(attributes[name], 0));
  const coordinates = isAxial
    ? [startX, startY, endX, endY]
    : [startX, startY, radius('StartRadius'), endX, endY, radius('EndRadius')];
  const dictionary = [
    `/ShadingType ${isAxial ? 2 : 3} /ColorSpace /DeviceRGB`,
    `/Coords [${coordinates.map(formatNumber).join(' ')}]`,
    `/Extend [${(extend & 1) !== 0} ${(extend & 2) !== 0}]`,
    `/Function ${stopsFunction(stops)}`,
  ];
  const toCanvas = combine(isAxial ? IDENTITY : ellipseMatrix(shading, startX, startY), matrix, canvas.base);
  const entries = `/PatternType 2 /Shading << ${dictionary.join(' ')} >> ${matrixEntry(toCanvas)}`;
  const name = canvas.use(conversion.writer.addDictionary('Pattern', entries));
  const opacity = readStopsOnce.reduce((sum, { color }) => sum + color.alpha, 0) / readStopsOnce.length;
  return { operators: patternOperators(name, use), alpha: alpha * opacity, isPattern: true };
}

/** Turns circles around a centre into ellipses. */
function ellipseMatrix({ attributes }: XmlElement, x: number, y: number): AffineMatrix {
  const eccentricity = Math.max(0, Math.min(0.999, parseNumberOr(attributes.Eccentricity, 0)));
  if (eccentricity === 0) return IDENTITY;
  const angle = (parseNumberOr(attributes.Angle, 0) * Math.PI) / 180;
  const rotation: AffineMatrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
  return combine(translation(-x, -y), scaling(1, Math.sqrt(1 - eccentricity ** 2)), rotation, translation(x, y));
}

async function patternPaint(
  drawing: Drawing,
  pattern: XmlElement,
  alpha: number,
  { use, matrix }: PaintOptions,
): Promise<Paint | null> {
  const { attributes } = pattern;
  const cell = findChild(pattern, 'CellContent');
  const [width, height] = [parseNumberOr(attributes.Width, 0), parseNumberOr(attributes.Height, 0)];
  const [stepX, stepY] = [parseNumberOr(attributes.XStep, width), parseNumberOr(attributes.YStep, height)];
  if (!cell || [width, height, stepX, stepY].some((size) => size < MIN_CELL_SIZE)) {
    addNote(drawing, '底纹');
    return null;
  }
  if ((attributes.ReflectMethod ?? 'Normal') !== 'Normal') addNote(drawing, '翻转的底纹');
  const canvas = await drawNestedCanvas(drawing, (nestedDrawing) =>
    drawing.drawBlock({ ...nestedDrawing, depth: drawing.depth + 1, hasText: false }, cell),
  );
  if (canvas.isFull()) return null;
  const origin = attributes.RelativeTo === 'Page' ? IDENTITY : matrix;
  const toCanvas = combine(parseMatrix(attributes.CTM) ?? IDENTITY, origin, drawing.canvas.base);
  const dictionary = [
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1',
    `/BBox [0 0 ${formatNumber(width)} ${formatNumber(height)}]`,
    `/XStep ${formatNumber(stepX)} /YStep ${formatNumber(stepY)} ${matrixEntry(toCanvas)}`,
  ];
  const resource = drawing.conversion.writer.addOperators('Pattern', dictionary.join(' '), canvas.finish());
  return { operators: patternOperators(drawing.canvas.use(resource), use), alpha, isPattern: true };
}

/** A mesh of colors is drawn in their mean. */
function meshPaint(drawing: Drawing, mesh: XmlElement, alpha: number, { use }: PaintOptions): Paint {
  addNote(drawing, '网格渐变');
  const colors = mesh.children.flatMap((point) => {
    const element = findChild(point, 'Color');
    const color = element && readColor(element, drawing.resources);
    return color ? [rgbOf(color)] : [];
  });
  const components = BLACK.components.map(
    (_, index) => colors.reduce((sum, color) => sum + (color[index] ?? 0), 0) / Math.max(1, colors.length),
  );
  return solidPaint({ components, alpha }, use);
}
