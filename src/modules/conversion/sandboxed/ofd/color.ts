import { parseNumberOr, parseNumbers } from './geometry.ts';
import type { Resources } from './resources.ts';
import { findChild, findChildren, type XmlElement } from './xml-tree.ts';

/** Components from 0 to 1: one for gray, three for RGB, four for CMYK. */
export type Color = { components: number[]; alpha: number };

const componentCounts: Record<string, number> = { GRAY: 1, RGB: 3, CMYK: 4 };
export const BLACK: Color = { components: [0, 0, 0], alpha: 1 };

/** Reads a color without pattern and shading; null when it has no value. */
export function readColor(element: XmlElement, { colorSpaces }: Pick<Resources, 'colorSpaces'>): Color | null {
  const { Value, Index, ColorSpace, Alpha } = element.attributes;
  const space = colorSpaces.get(ColorSpace ?? '');
  const value = Value ?? (Index === undefined ? undefined : paletteValue(space, parseNumberOr(Index, 0)));
  if (value === undefined) return null;
  const max = 2 ** parseNumberOr(space?.attributes.BitsPerComponent, 8) - 1;
  const values = value
    .trim()
    .split(/[\s,]+/)
    .map(parseComponent);
  const count = componentCounts[space?.attributes.Type?.toUpperCase() ?? ''] ?? countWithoutSpace(values.length);
  return {
    components: Array.from({ length: count }, (_, index) => clampToUnit((values[index] ?? 0) / max)),
    alpha: readAlpha(Alpha),
  };
}

/** Alpha of a color or an object, from 0 to 255 in the file. */
export const readAlpha = (alpha: string | undefined): number => clampToUnit(parseNumberOr(alpha, 255) / 255);

/** The operator that sets the color for filling or stroking. */
export function colorOperator({ components }: Color, use: 'fill' | 'stroke'): string {
  const operator = { 1: 'g', 3: 'rg', 4: 'k' }[components.length] ?? 'g';
  return `${components.map((value) => Number(value.toFixed(4))).join(' ')} ${use === 'fill' ? operator : operator.toUpperCase()}`;
}

/** The same color in RGB, for functions that mix colors of different spaces. */
export function rgbOf({ components: [first = 0, second, third = 0, black] }: Color): [number, number, number] {
  if (second === undefined) return [first, first, first];
  const light = 1 - (black ?? 0);
  return black === undefined
    ? [first, second, third]
    : [(1 - first) * light, (1 - second) * light, (1 - third) * light];
}

const paletteValue = (space: XmlElement | undefined, index: number): string | undefined =>
  findChildren(findChild(space, 'Palette'), 'CV')[index]?.text;

/** Hexadecimal with a number sign, decimal without. */
const parseComponent = (text: string): number =>
  text.startsWith('#') ? Number.parseInt(text.slice(1), 16) || 0 : (parseNumbers(text)[0] ?? 0);

const countWithoutSpace = (values: number) => (values === 1 || values === 4 ? values : 3);

const clampToUnit = (value: number) => Math.max(0, Math.min(1, value));
