import sharp from 'sharp';
import { displayWidth } from '#modules/text/wide-characters.contract.ts';
import { scannedTexts } from './scanned-texts.fixture.ts';

/** A4 at 200 dpi. */
const [SCAN_WIDTH, SCAN_HEIGHT] = [1_654, 2_339] as const;
/** 10.5 points at 200 dpi, and the distance of lines. */
const [FONT_SIZE, LINE_HEIGHT] = [29, 50];
const MARGIN = 160;

/** A page image and its text in reading order. */
export type ScannedPage = { name: string; image: Buffer; text: string };

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

type TextStyle = { size?: number; family?: string; color?: string };

const drawText = (
  text: string,
  x: number,
  y: number,
  { size = FONT_SIZE, family = 'Serif', color = '#111' }: TextStyle = {},
) =>
  `<text x="${x}" y="${y}" font-family="Noto ${family} CJK SC" font-size="${size}" fill="${color}" xml:space="preserve">${escapeXml(text)}</text>`;

/** Wraps text after this number of wide characters. */
function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const token of paragraph.match(/[!-~]+ ?|./gu) ?? []) {
      if (displayWidth(line + token.trimEnd()) > 2 * columns) {
        lines.push(line);
        line = '';
      }
      line += token;
    }
    lines.push(line);
  }
  return lines;
}

const drawLines = (lines: string[], x: number, top: number, style: TextStyle = {}) =>
  lines.map((line, index) => drawText(line, x, top + index * LINE_HEIGHT, style)).join('');

const renderPage = (body: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${SCAN_WIDTH}" height="${SCAN_HEIGHT}"><rect width="100%" height="100%" fill="#fdfdfb"/>${body}</svg>`,
    ),
  )
    .flatten({ background: '#fff' })
    .png({ compressionLevel: 1 })
    .toBuffer();

async function page(name: string, text: string, body: string): Promise<ScannedPage> {
  return { name, text, image: await renderPage(body) };
}

const COLUMNS = 44;

const drawArticle = (title: string, text: string, style: TextStyle = {}) =>
  drawText(title, MARGIN, 230, { ...style, size: 46 }) + drawLines(wrapText(text, COLUMNS), MARGIN, 320, style);

export const simplifiedPage = (style: TextStyle = {}): Promise<ScannedPage> =>
  page(
    'simplified',
    `${scannedTexts.simplifiedTitle}\n${scannedTexts.simplified}`,
    drawArticle(scannedTexts.simplifiedTitle, scannedTexts.simplified, style),
  );

export const traditionalPage = (): Promise<ScannedPage> =>
  page(
    'traditional',
    `${scannedTexts.traditionalTitle}\n${scannedTexts.traditional}`,
    drawArticle(scannedTexts.traditionalTitle, scannedTexts.traditional).replaceAll('CJK SC', 'CJK TC'),
  );

export const mixedPage = (): Promise<ScannedPage> =>
  page(
    'mixed',
    `${scannedTexts.mixedTitle}\n${scannedTexts.mixed}`,
    drawArticle(scannedTexts.mixedTitle, scannedTexts.mixed, { family: 'Sans' }),
  );

export const columnsPage = (): Promise<ScannedPage> => {
  const lines = wrapText(scannedTexts.simplified, 20);
  const half = Math.ceil(lines.length / 2);
  const body =
    drawText(scannedTexts.simplifiedTitle, MARGIN, 230, { size: 46 }) +
    drawLines(lines.slice(0, half), MARGIN, 340) +
    drawLines(lines.slice(half), MARGIN + 700, 340);
  return page('two columns', `${scannedTexts.simplifiedTitle}\n${lines.join('\n')}`, body);
};

/** Columns of characters from right to left. */
export const verticalPage = (): Promise<ScannedPage> => {
  const perColumn = 36;
  const characters = Array.from(scannedTexts.vertical.replaceAll('\n', ''));
  const body = characters
    .map((character, index) => {
      const column = Math.floor(index / perColumn);
      const [x, y] = [SCAN_WIDTH - MARGIN - 60 - column * 72, 260 + (index % perColumn) * 44];
      return drawText(verticalForms[character] ?? character, x, y, { size: 36 });
    })
    .join('');
  return page('vertical', characters.join(''), body);
};

/** Punctuation of vertical lines, as Unicode presentation forms. */
const verticalForms: Record<string, string> = { '，': '︐', '。': '︒', '、': '︑', '：': '︓', '；': '︔' };

export const tablePage = (): Promise<ScannedPage> => {
  const [left, top, rowHeight] = [MARGIN, 360, 74];
  const widths = [110, 330, 330, 210, 350];
  const total = widths.reduce((sum, width) => sum + width, 0);
  const rows = scannedTexts.table;
  const rule = (x1: number, y1: number, x2: number, y2: number) =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#222" stroke-width="2"/>`;
  const horizontalRules = Array.from({ length: rows.length + 1 }, (_, index) =>
    rule(left, top + index * rowHeight, left + total, top + index * rowHeight),
  );
  const edges = [
    left,
    ...widths.map((_, index) => left + widths.slice(0, index + 1).reduce((sum, width) => sum + width, 0)),
  ];
  const verticalRules = edges.map((x) => rule(x, top, x, top + rows.length * rowHeight));
  const cells = rows.flatMap((row, index) =>
    row.map((cell, column) => drawText(cell, (edges[column] ?? 0) + 18, top + index * rowHeight + 48)),
  );
  return page(
    'table',
    `${scannedTexts.tableTitle}\n${rows.map((row) => row.join(' ')).join('\n')}`,
    drawText(scannedTexts.tableTitle, MARGIN, 260, { size: 44 }) +
      [...horizontalRules, ...verticalRules, ...cells].join(''),
  );
};

/** The simplified page with a red seal over its last lines. */
export const sealPage = async (): Promise<ScannedPage> => {
  const [x, y, radius] = [1_080, 1_250, 170];
  const seal = `<g fill="none" stroke="#d02020" opacity="0.75"><circle cx="${x}" cy="${y}" r="${radius}" stroke-width="10"/><path d="M${x} ${y - 62}l18 44 47 3-36 30 12 46-41-26-41 26 12-46-36-30 47-3z" fill="#d02020"/></g>`;
  const scan = await page('red seal', '', drawArticle(scannedTexts.simplifiedTitle, scannedTexts.simplified) + seal);
  return { ...scan, text: `${scannedTexts.simplifiedTitle}\n${scannedTexts.simplified}` };
};

/** Skewed by two degrees, blurred, noisy, compressed strongly. */
export async function degrade(scan: ScannedPage): Promise<ScannedPage> {
  const skewedImage = await sharp(scan.image)
    .rotate(2, { background: '#f4f1ea' })
    .resize(SCAN_WIDTH, SCAN_HEIGHT, { fit: 'cover' })
    .blur(0.9)
    .linear(0.72, 45)
    .removeAlpha()
    .raw()
    .toBuffer();
  // A fixed sequence, so that every run measures the same page.
  let state = 7;
  for (let at = 0; at < skewedImage.length; at += 3) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const noise = ((state >>> 16) % 49) - 24;
    for (let channel = at; channel < at + 3; channel++)
      skewedImage[channel] = Math.min(255, Math.max(0, (skewedImage[channel] ?? 0) + noise));
  }
  const image = await sharp(skewedImage, { raw: { width: SCAN_WIDTH, height: SCAN_HEIGHT, channels: 3 } })
    .jpeg({ quality: 50 })
    .toBuffer();
  return { ...scan, name: `${scan.name}, degraded`, image };
}

export const rotate = async (scan: ScannedPage, degrees: 90 | 180 | 270): Promise<ScannedPage> => ({
  ...scan,
  name: `${scan.name}, rotated by ${degrees} degrees`,
  image: await sharp(scan.image).rotate(degrees).png({ compressionLevel: 1 }).toBuffer(),
});
