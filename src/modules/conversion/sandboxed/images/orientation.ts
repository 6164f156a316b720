import type { PdfPageSize } from '../pdf-page.ts';

type Matrix = [number, number, number, number, number, number];

/** Whether an image with this EXIF orientation is shown turned by a quarter. */
export const swapsSides = (orientation: number): boolean => orientation >= 5 && orientation <= 8;

/** The matrix that draws the unit square of an image with an EXIF orientation onto the whole page. */
export function orientationMatrix(orientation: number, { width, height }: PdfPageSize): Matrix {
  const matrices: Record<number, Matrix> = {
    2: [-width, 0, 0, height, width, 0],
    3: [-width, 0, 0, -height, width, height],
    4: [width, 0, 0, -height, 0, height],
    5: [0, -height, -width, 0, width, height],
    6: [0, -height, width, 0, 0, height],
    7: [0, height, width, 0, 0, 0],
    8: [0, height, -width, 0, width, 0],
  };
  return matrices[orientation] ?? [width, 0, 0, height, 0, 0];
}
