import { type PathPoint, parseNumber } from './geometry.ts';

/** Segments as in PDF: a curve has two control points. */
export type PathSegment =
  | { type: 'move' | 'line'; to: PathPoint }
  | { type: 'curve'; first: PathPoint; second: PathPoint; to: PathPoint }
  | { type: 'close' };

const operandCounts: Record<string, number> = { S: 2, M: 2, L: 2, Q: 4, B: 6, A: 7, C: 0 };
const TOKEN = /[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;
const LETTER = /^[A-Za-z]$/;
const ORIGIN: PathPoint = { x: 0, y: 0 };

/**
 * Parses the operators S, M, L, Q, B, A and C of AbbreviatedData. Returns null when the data has more than
 * `maxSegments`. An operator with missing operands ends the path, as in SVG.
 */
export function parsePathData(data: string, maxSegments: number): PathSegment[] | null {
  const segments: PathSegment[] = [];
  let start = ORIGIN;
  let current = ORIGIN;
  let operator = '';
  let operands: number[] = [];
  const apply = () => {
    const [to, ...newSegments] = buildSegments(operator, operands, current);
    segments.push(...newSegments);
    current = operator === 'C' ? start : (to ?? current);
    if (operator === 'M' || operator === 'S') start = current;
    operands = [];
  };
  for (const [token] of data.matchAll(TOKEN)) {
    if (segments.length > maxSegments) return null;
    if (LETTER.test(token)) {
      if (operands.length > 0) break;
      operator = token;
      if (operator === 'C') apply();
      else if (!(operator in operandCounts)) break;
    } else if (operator in operandCounts && operator !== 'C') {
      operands.push(parseNumber(token));
      if (operands.length === operandCounts[operator]) apply();
    } else break;
  }
  return segments;
}

/** The end point and the segments of one operator. */
function buildSegments(operator: string, operands: number[], from: PathPoint): [PathPoint?, ...PathSegment[]] {
  const points: PathPoint[] = [];
  for (let at = 0; at + 1 < operands.length; at += 2) points.push({ x: operands[at] ?? 0, y: operands[at + 1] ?? 0 });
  const [first = ORIGIN, second = ORIGIN, third = ORIGIN] = points;
  if (operator === 'S' || operator === 'M') return [first, { type: 'move', to: first }];
  if (operator === 'L') return [first, { type: 'line', to: first }];
  if (operator === 'Q') return [second, quadraticCurve(from, first, second)];
  if (operator === 'B') return [third, { type: 'curve', first, second, to: third }];
  if (operator === 'C') return [undefined, { type: 'close' }];
  const [, , , , , x = 0, y = 0] = operands;
  return [{ x, y }, ...arcCurves(from, operands, { x, y })];
}

function quadraticCurve(from: PathPoint, control: PathPoint, to: PathPoint): PathSegment {
  const towardsControl = ({ x, y }: PathPoint): PathPoint => ({
    x: x + (2 / 3) * (control.x - x),
    y: y + (2 / 3) * (control.y - y),
  });
  return { type: 'curve', first: towardsControl(from), second: towardsControl(to), to };
}

/** An elliptical arc as curves, by the formulas of SVG 1.1, appendix F.6. */
function arcCurves(from: PathPoint, operands: number[], to: PathPoint): PathSegment[] {
  const [radiusX = 0, radiusY = 0, degrees = 0, isLarge = 0, isClockwise = 0] = operands;
  if (radiusX === 0 || radiusY === 0) return [{ type: 'line', to }];
  if (from.x === to.x && from.y === to.y) return [];
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const halfX = (from.x - to.x) / 2;
  const halfY = (from.y - to.y) / 2;
  // The half chord in the axes of the ellipse.
  const chordX = cos * halfX + sin * halfY;
  const chordY = cos * halfY - sin * halfX;
  const enlargement = Math.max(1, Math.hypot(chordX / radiusX, chordY / radiusY));
  const rx = Math.abs(radiusX) * enlargement;
  const ry = Math.abs(radiusY) * enlargement;
  const unitChord = (chordX / rx) ** 2 + (chordY / ry) ** 2;
  const distance = Math.sqrt(Math.max(0, 1 / unitChord - 1)) * (Boolean(isLarge) === Boolean(isClockwise) ? -1 : 1);
  const center = { x: (distance * rx * chordY) / ry, y: (-distance * ry * chordX) / rx };
  const startAngle = Math.atan2((chordY - center.y) / ry, (chordX - center.x) / rx);
  const endAngle = Math.atan2((-chordY - center.y) / ry, (-chordX - center.x) / rx);
  const fullCircle = 2 * Math.PI;
  const sweep = (endAngle - startAngle) % fullCircle;
  const sweepAngle = isClockwise ? (sweep + fullCircle) % fullCircle : (sweep - fullCircle) % fullCircle || -fullCircle;
  const place = (x: number, y: number): PathPoint => ({
    x: cos * (x + center.x) - sin * (y + center.y) + (from.x + to.x) / 2,
    y: sin * (x + center.x) + cos * (y + center.y) + (from.y + to.y) / 2,
  });
  const count = Math.max(1, Math.ceil(Math.abs(sweepAngle) / (Math.PI / 2)));
  const step = sweepAngle / count;
  const handle = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: count }, (_, index): PathSegment => {
    const [begin, end] = [startAngle + index * step, startAngle + (index + 1) * step];
    const onEllipse = (at: number, tangent: number) =>
      place(rx * (Math.cos(at) - tangent * Math.sin(at)), ry * (Math.sin(at) + tangent * Math.cos(at)));
    return {
      type: 'curve',
      first: onEllipse(begin, handle),
      second: onEllipse(end, -handle),
      to: index === count - 1 ? to : onEllipse(end, 0),
    };
  });
}
