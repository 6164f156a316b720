import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

const run = promisify(execFile);
const DJVU_PAGE = { width: 850, height: 1_100 };

/** A page that shows a line of text; `text` is its hidden text in the syntax of djvused, empty for none. */
export type DjvuPage = { picturedText: string; text: string; isPhotograph?: boolean };

/** Builds a DjVu document with the programs of DjVuLibre. */
export async function djvuDocument(pages: DjvuPage[], outline = ''): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-djvu-'));
  try {
    const names: string[] = [];
    for (const [index, { picturedText, isPhotograph = false }] of pages.entries()) {
      const name = `p${index + 1}`;
      const pixels = await drawText(picturedText);
      await writeFile(path.join(folder, `${name}.pnm`), isPhotograph ? grayMap(pixels) : bitMap(pixels));
      await run(isPhotograph ? 'c44' : 'cjb2', ['-dpi', '100', `${name}.pnm`, `${name}.djvu`], { cwd: folder });
      names.push(`${name}.djvu`);
    }
    await run('djvm', ['-c', 'book.djvu', ...names], { cwd: folder });
    const texts = pages.map(({ text }, index) => (text ? `select ${index + 1}\nset-txt\n${text}\n.\n` : '')).join('');
    await writeFile(path.join(folder, 'edits'), `${texts}${outline ? `set-outline\n${outline}\n.\n` : ''}save\n`);
    await run('djvused', ['-f', 'edits', 'book.djvu'], { cwd: folder });
    return await readFile(path.join(folder, 'book.djvu'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const drawText = (text: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${DJVU_PAGE.width}" height="${DJVU_PAGE.height}"><rect width="100%" height="100%" fill="#fff"/><text x="80" y="200" font-family="Noto Serif CJK SC" font-size="44">${text}</text></svg>`,
    ),
  )
    .removeAlpha()
    .toColourspace('b-w')
    .raw()
    .toBuffer();

const pnmHead = (type: string, rest = '') => Buffer.from(`${type}\n${DJVU_PAGE.width} ${DJVU_PAGE.height}\n${rest}`);
const grayMap = (pixels: Buffer) => Buffer.concat([pnmHead('P5', '255\n'), pixels]);

function bitMap(pixels: Buffer): Buffer {
  const rowBytes = Math.ceil(DJVU_PAGE.width / 8);
  const bits = Buffer.alloc(rowBytes * DJVU_PAGE.height);
  pixels.forEach((value, index) => {
    const [row, column] = [Math.floor(index / DJVU_PAGE.width), index % DJVU_PAGE.width];
    if (value < 128)
      bits[row * rowBytes + (column >> 3)] = (bits[row * rowBytes + (column >> 3)] ?? 0) | (0x80 >> (column & 7));
  });
  return Buffer.concat([pnmHead('P4'), bits]);
}
