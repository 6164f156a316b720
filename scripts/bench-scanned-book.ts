/**
 * Uploads a scanned book of 300 pages, kills the site while its pages are recognized, and searches for a word that occurs
 * only on page 250. Prints JSON lines; exits 1 if the word is not found and marked there, or if a recognized page is lost.
 * `-- --pages 40 --word-page 30` for a shorter book, `-- --screenshot <file>` for a picture of the marked page.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { scannedBook } from '#modules/conversion/scanned-pdf.fixture.ts';
import { chromiumPath } from '../e2e/support/browser.ts';
import { benchReport } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isReadable, siteClient } from './site-client.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '300' },
    'word-page': { type: 'string', default: '250' },
    screenshot: { type: 'string' },
  },
});
const pageCount = Number(values.pages);
const wordPage = Number(values['word-page']);
const WORD = '石渠阁';
const LINES = [
  '本书收录历代藏书目录与题跋，分经史子集四部排列。',
  '各部之下先列书名卷数，再列著者与版本，末附提要。',
  '凡有残缺之处，均在括号中说明，不作臆测增补。',
  '书中年代依照原书题署，公元纪年由编者加注。',
];
const IMAGE_SIZE = { width: 1_100, height: 1_556 };
const POLL_MS = 1_000;

const drawPage = (page: number) => {
  const lines = [`第 ${page} 页`, ...LINES, page === wordPage ? `${WORD}旧藏善本，今存三卷。` : '以下空白。'];
  const text = lines.map(
    (line, index) =>
      `<text x="90" y="${200 + index * 70}" font-family="Noto Serif CJK SC" font-size="34">${line}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${IMAGE_SIZE.width}" height="${IMAGE_SIZE.height}"><rect width="100%" height="100%" fill="#fdfdfb"/>${text.join('')}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
};

type RecognitionProgress = { pages: number; recognized: number; pending: boolean };
type BookSearch = { document: { id: number; hit_page: number[] }[] | null };
type BookFind = { page: { page: number }[] };
type BookWords = { page: { lines: [text: string, ...box: number[]][][] }[] };

const server = await killableServer();
const { report, exitCode } = benchReport();
try {
  await server.start();
  await server.disableCaptcha();
  let site = await siteClient(server.api);
  const images: Buffer[] = [];
  for (let page = 1; page <= pageCount; page++) images.push(await drawPage(page));
  const startedAt = performance.now();
  const id = await site.create(await site.upload('book.pdf', scannedBook(images, IMAGE_SIZE)), '藏书目录');
  const readableMs = await site.waitUntil(id, isReadable, 900_000);
  report('scanned book: readable', { pages: pageCount, seconds: readableMs / 1000 }, true);

  const readProgress = () => site.request<RecognitionProgress>(`/document/recognition?id=${id}`);
  /** Waits without a time limit while pages are recognized; ten minutes without a new page are an error. */
  const waitForPages = async (count: number) => {
    let lastChange = performance.now();
    for (let recognizedPages = 0; ; await sleep(POLL_MS)) {
      const progress = await readProgress();
      if (progress.recognized >= count || (progress.pages > 0 && !progress.pending)) return progress;
      if (progress.recognized !== recognizedPages) lastChange = performance.now();
      if (performance.now() - lastChange > 600_000) throw new Error('no page was recognized for ten minutes');
      recognizedPages = progress.recognized;
    }
  };
  const beforeKill = await waitForPages(Math.min(25, Math.floor(pageCount / 2)));
  await server.kill();
  await server.start();
  site = await siteClient(server.api);
  const afterKill = await readProgress();
  report(
    'scanned book: site killed while pages are recognized',
    { recognized_before: beforeKill.recognized, recognized_after: afterKill.recognized },
    afterKill.recognized >= beforeKill.recognized,
  );

  const hitPages = async () => {
    const { document } = await site.request<BookSearch>(
      `/document/search?wd=${encodeURIComponent(WORD)}&page=1&size=10`,
    );
    return document?.find((row) => row.id === id)?.hit_page ?? [];
  };
  while ((await hitPages()).length === 0 && (await readProgress()).pending) await sleep(POLL_MS);
  const { recognized, pages } = await readProgress();
  report(
    'scanned book: word found by the search',
    {
      page: (await hitPages())[0] ?? 0,
      expected: wordPage,
      recognized,
      seconds: (performance.now() - startedAt) / 1000,
    },
    (await hitPages()).join() === String(wordPage),
  );
  const { page: findPages } = await site.request<BookFind>(`/document/find?id=${id}&wd=${encodeURIComponent(WORD)}`);
  const { page: wordPages } = await site.request<BookWords>(`/document/words?id=${id}&page=${wordPage}&size=1`);
  const line = wordPages[0]?.lines.find((words) => words.some(([text]) => text.includes(WORD.slice(0, 1)))) ?? [];
  const [, x = 0, y = 0] = line[0] ?? [];
  // 90 of 1,100 pixels from the left, and the baseline 550 pixels from the top, in ten-thousandths of the page width.
  report(
    'scanned book: word marked on its page',
    { find_page: findPages[0]?.page ?? 0, x, y, expected_x: 820, expected_y: 4_720 },
    findPages.map(({ page }) => page).join() === String(wordPage) &&
      Math.abs(x - 820) < 150 &&
      Math.abs(y - 4_720) < 200,
  );
  if (values.screenshot) {
    const browser = await chromium.launch({ executablePath: chromiumPath() });
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await tab.goto(`${server.origin}/document/${id}?wd=${encodeURIComponent(WORD)}#p=${wordPage}`);
    await tab.locator('.reader-mark').waitFor();
    await tab.waitForLoadState('networkidle');
    await tab.screenshot({ path: values.screenshot });
    await browser.close();
  }
  const end = await waitForPages(pages);
  report(
    'scanned book: all pages recognized',
    { recognized: end.recognized, pages, seconds: (performance.now() - startedAt) / 1000 },
    end.recognized === pages,
  );
} finally {
  await server.remove();
}
process.exitCode = exitCode();
