import { type AffineMatrix, combine, IDENTITY, parseBox, parseMatrix, translation } from './geometry.ts';
import type { XmlElement } from './xml-tree.ts';

/** Maps the inner coordinates of an object to those of the canvas: its CTM, the corner of its box, then its block. */
export function objectMatrix(blockMatrix: AffineMatrix, { attributes }: XmlElement): AffineMatrix {
  const { x, y } = parseBox(attributes.Boundary) ?? { x: 0, y: 0 };
  return combine(parseMatrix(attributes.CTM) ?? IDENTITY, translation(x, y), blockMatrix);
}
