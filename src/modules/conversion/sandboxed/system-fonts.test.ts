import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { typesetPdf } from '../typeset-pdf.fixture.ts';
import { openPdf } from './pdf-engine.ts';
import { drawPage, withPage } from './pdf-page.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-fonts-'));
afterAll(() => rm(folder, { recursive: true }));

/** Number of dark pixels on a page with one large line of text. */
async function darkPixels(text: string): Promise<number> {
  const file = path.join(folder, `${crypto.randomUUID()}.pdf`);
  await writeFile(file, typesetPdf([{ text, size: 40 }], 1.5));
  const pdf = await openPdf(file);
  const { pixels } = withPage(pdf, 0, (page) => drawPage(pdf, page, { width: 595, height: 842 }));
  pdf.close();
  return pixels.filter((value, at) => at % 4 === 0 && value < 128).length;
}

test.each(['公司章程模板', 'Articles'])('drawPage draws %s although its font is not embedded', async (text) => {
  expect(await darkPixels(text)).toBeGreaterThan(500);
});
