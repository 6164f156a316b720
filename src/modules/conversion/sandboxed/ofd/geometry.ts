/** Affine transformation (a b c d e f) of PDF and OFD: x' = ax + cy + e, y' = bx + dy + f. */
export type AffineMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
export type PathPoint = { x: number; y: number };
export type OfdBox = { x: number; y: number; width: number; height: number };

export const IDENTITY: AffineMatrix = [1, 0, 0, 1, 0, 0];
/** Far outside of every page, but small enough for single precision. */
const MAX_COORDINATE = 1_000_000;

/** A number of the document; not a number for other texts. */
export function parseNumber(text: string | undefined): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? value : Math.max(-MAX_COORDINATE, Math.min(MAX_COORDINATE, value));
}

export const parseNumberOr = (text: string | undefined, fallback: number): number => {
  const value = parseNumber(text);
  return Number.isNaN(value) ? fallback : value;
};

/** Numbers between spaces or commas; anything else counts as 0. */
export const parseNumbers = (text: string | undefined): number[] =>
  (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => parseNumberOr(part, 0));

/** Null for a missing or incomplete box. */
export function parseBox(text: string | undefined): OfdBox | null {
  const [x, y, width, height] = parseNumbers(text);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  return { x, y, width, height };
}

/** Null for a missing or incomplete matrix. */
export function parseMatrix(text: string | undefined): AffineMatrix | null {
  const [a, b, c, d, e = 0, f = 0] = parseNumbers(text);
  return a === undefined || b === undefined || c === undefined || d === undefined ? null : [a, b, c, d, e, f];
}

export const translation = (x: number, y: number): AffineMatrix => [1, 0, 0, 1, x, y];
export const scaling = (x: number, y: number): AffineMatrix => [x, 0, 0, y, 0, 0];

/** Applies the matrices from left to right. */
export const combine = (...matrices: AffineMatrix[]): AffineMatrix =>
  matrices.reduce(
    (first, next): AffineMatrix => [
      first[0] * next[0] + first[1] * next[2],
      first[0] * next[1] + first[1] * next[3],
      first[2] * next[0] + first[3] * next[2],
      first[2] * next[1] + first[3] * next[3],
      first[4] * next[0] + first[5] * next[2] + next[4],
      first[4] * next[1] + first[5] * next[3] + next[5],
    ],
    IDENTITY,
  );

export const transformPoint = ([a, b, c, d, e, f]: AffineMatrix, { x, y }: PathPoint): PathPoint => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** The smallest upright box around a transformed box. */
export function transformBox(matrix: AffineMatrix, { x, y, width, height }: OfdBox): OfdBox {
  const corners = [
    { x, y },
    { x: x + width, y },
    { x, y: y + height },
    { x: x + width, y: y + height },
  ].map((corner) => transformPoint(matrix, corner));
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  return {
    x: left,
    y: top,
    width: Math.max(...corners.map((corner) => corner.x)) - left,
    height: Math.max(...corners.map((corner) => corner.y)) - top,
  };
}
