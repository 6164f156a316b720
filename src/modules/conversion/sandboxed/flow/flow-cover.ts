import sharp from 'sharp';
import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import { isLatinText } from '#platform/contract/is-latin-text.ts';
import { writeCover } from '../encode-page.ts';
import { escapeHtml } from './flow-writer.ts';

const [WIDTH, HEIGHT, MARGIN] = [840, 1188, 84];
const CHINESE_FONT = 'Noto Serif CJK SC, Noto Sans CJK SC, serif';
/** Quotation marks of Chinese fonts are as wide as a Chinese character. */
const LATIN_FONT = `Liberation Serif, DejaVu Serif, ${CHINESE_FONT}`;

/** Uses the cover image of the book, or draws the beginning of its text. */
export async function writeFlowCover(
  folder: string,
  { picture, title, text }: { picture?: Buffer | undefined; title: string; text: string },
): Promise<void> {
  if (picture) {
    const source = sharp(picture, { limitInputPixels: 40_000_000, failOn: 'error' });
    const isWritten = await writeCover(folder, source).then(
      () => true,
      () => false,
    );
    if (isWritten) return;
  }
  await writeCover(folder, sharp(Buffer.from(textCoverSvg(title, text))));
}

export function textCoverSvg(title: string, text: string): string {
  const heading = wrapText(title, 54, 3).map((line, index) => renderLine(line, MARGIN, 150 + index * 74, 54, 700));
  const top = heading.length ? 150 + heading.length * 74 + 30 : 120;
  const lines = text.split('\n').flatMap((line) => wrapText(line, 30, 40));
  const body = lines
    .slice(0, Math.floor((HEIGHT - MARGIN - top) / 52))
    .map((line, index) => renderLine(line, MARGIN, top + 40 + index * 52, 30, 400));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#fffefb"/>${[...heading, ...body].join('')}</svg>`;
}

const renderLine = (text: string, x: number, y: number, size: number, weight: number) =>
  `<text x="${x}" y="${y}" font-family="${isLatinText(text) ? LATIN_FONT : CHINESE_FONT}" font-size="${size}" font-weight="${weight}" fill="#33312e">${escapeHtml(text)}</text>`;

/** Wide characters take a full square, others about half of one. */
function wrapText(text: string, size: number, max: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const letter of text.replace(/\p{C}/gu, ' ').trim()) {
    const step = isWideCharacter(letter) ? size : size * 0.55;
    if (width + step > WIDTH - 2 * MARGIN) {
      lines.push(line);
      [line, width] = ['', 0];
      if (lines.length >= max) return lines;
    }
    line += letter;
    width += step;
  }
  return line ? [...lines, line] : lines;
}
