import { escapeXml } from '#platform/contract/xml.ts';

const ANGLE_DEGREES = 25;
/** Distance between the marks, in font sizes. */
const GAP = 4;
/** Grey with a light edge is visible on white and on dark pages; faint enough to read the text below. */
const FILL = 'fill="#777" fill-opacity="0.26"';
const STROKE = 'stroke="#fff" stroke-opacity="0.12"';

/** Wide characters take a full square, others about half of one. */
const widthInFontSizes = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + (character > '\u2e7f' ? 1 : 0.55), 0);

/** An SVG picture of the mark, which repeats in both directions without a visible border. */
export function watermarkTile(text: string, fontSize: number): { svg: string; width: number; height: number } {
  const angle = (ANGLE_DEGREES * Math.PI) / 180;
  const length = (widthInFontSizes(text) + GAP) * fontSize;
  const width = Math.ceil(length * Math.cos(angle));
  const height = Math.ceil(length * Math.sin(angle) + GAP * fontSize);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<text x="${width / 2}" y="${height / 2}" transform="rotate(-${ANGLE_DEGREES} ${width / 2} ${height / 2})"` +
    ` text-anchor="middle" dominant-baseline="middle" font-family="sans-serif" font-size="${fontSize}"` +
    ` ${FILL} ${STROKE} stroke-width="${fontSize / 16}">${escapeXml(text)}</text></svg>`;
  return { svg, width, height };
}
