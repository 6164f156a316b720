import type { TextLine } from './text-line.ts';

/** Lines that follow each other on a page. */
export type LinePair = { last: TextLine; line: TextLine };

/** Distance of two lines, and the height of the font on which it was measured. */
export type LineDistance = { distance: number; height: number };

export const differByMoreThan30Percent = (a: number, b: number) => Math.abs(a - b) > Math.max(a, b) * 0.3;

/** The distance on the font that both lines contain and that fills most of them. */
function sharedFontDistance({ last, line }: LinePair): LineDistance | null {
  let lineDistance: LineDistance | null = null;
  let sharedWidth = 0;
  for (const [height, { top, width }] of line.firstRowFonts) {
    const lastFont = last.lastRowFonts.get(height);
    const minWidth = Math.min(width, lastFont?.width ?? 0);
    if (!lastFont || height < 1 || minWidth <= sharedWidth) continue;
    lineDistance = { distance: top - lastFont.top, height };
    sharedWidth = minWidth;
  }
  return lineDistance;
}

/** The box of a Chinese word may be twice as high as that of a Latin word beside it, so their tops differ. */
export const measureLineDistance = (pair: LinePair): LineDistance =>
  sharedFontDistance(pair) ?? {
    distance: pair.line.top - pair.last.lastTop,
    height: Math.max(pair.line.height, pair.last.height),
  };

export const haveDifferentMainFonts = ({ last, line }: LinePair) =>
  differByMoreThan30Percent(last.height, line.height) && differByMoreThan30Percent(last.maxHeight, line.maxHeight);

/** Two lines have the same font size if any shared font has the same height: Chinese fonts are higher than Latin ones. */
export const haveDifferentFontSize = (pair: LinePair) =>
  haveDifferentMainFonts(pair) && sharedFontDistance(pair) === null;
