import type { PdfWord } from '../pdf-writer/invisible-text.ts';
import type { PdfResource } from '../pdf-writer/pdf-writer.ts';
import { type AffineMatrix, IDENTITY, type PathPoint, transformPoint } from './geometry.ts';
import type { PathSegment } from './path-data.ts';

/** Operators of a page; a full page of text has about two million characters before compression. */
const MAX_OPERATOR_CHARACTERS = 32_000_000;
const MAX_WORDS = 100_000;

export type Canvas = ReturnType<typeof createCanvas>;

/** Collects the operators of a page, a form or a pattern. `base` maps millimetres to the units of its operators. */
export function createCanvas(base: AffineMatrix = IDENTITY) {
  const operators: string[] = [];
  const resources = new Map<string, PdfResource>();
  const words: PdfWord[] = [];
  let length = 0;
  return {
    base,
    words,
    isFull: () => length > MAX_OPERATOR_CHARACTERS,
    push(...parts: string[]): void {
      for (const part of parts) {
        operators.push(part);
        length += part.length + 1;
      }
    },
    /** Makes a resource available and returns its name with a slash. */
    use(resource: PdfResource): string {
      resources.set(resource.name, resource);
      return `/${resource.name}`;
    },
    addWord(word: PdfWord): void {
      if (words.length < MAX_WORDS) words.push(word);
    },
    /** The operators and the resources that they use. */
    finish: () => ({ content: operators.join('\n'), resources: resources.values() }),
  };
}

/** Six decimals and no exponent. */
export const formatNumber = (value: number): string => {
  const roundedValue = Number(value.toFixed(6));
  return Number.isFinite(roundedValue) ? String(roundedValue) : '0';
};

export const matrixOperator = (matrix: AffineMatrix): string => `${matrix.map(formatNumber).join(' ')} cm`;

/** Operators that construct a path; every point is transformed. */
export function pathOperators(segments: PathSegment[], matrix: AffineMatrix = IDENTITY): string {
  const format = (point: PathPoint) => {
    const { x, y } = transformPoint(matrix, point);
    return `${formatNumber(x)} ${formatNumber(y)}`;
  };
  const parts: string[] = [];
  // A path of PDF begins with a point.
  if (segments.length > 0 && segments[0]?.type !== 'move') parts.push(`${format({ x: 0, y: 0 })} m`);
  for (const segment of segments) {
    if (segment.type === 'move') parts.push(`${format(segment.to)} m`);
    else if (segment.type === 'line') parts.push(`${format(segment.to)} l`);
    else if (segment.type === 'curve')
      parts.push(`${format(segment.first)} ${format(segment.second)} ${format(segment.to)} c`);
    else parts.push('h');
  }
  return parts.join('\n');
}
