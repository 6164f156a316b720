/**
 * Measures network, memory and speed of the reader. Prints JSON lines; exits 1 if a figure exceeds its limit. The baseline
 * is pdf.js, which loads the same book by range requests in the same browser.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lighthouse from 'lighthouse';
import { type Browser, chromium, type Page } from 'playwright-core';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { findFreePort } from '#testing/free-port.ts';
import { chromiumPath } from '../e2e/support/browser.ts';
import { makeChinesePdf } from './bench-documents.ts';
import { measurePdfjsBytes } from './bench-reader-pdfjs.ts';
import { benchReport, median, percentile } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const MB = 1024 * 1024;
const READER_COUNT = 200;
const folder = await mkdtemp(path.join(tmpdir(), 'douku-reader-'));
const { report, exitCode } = benchReport();

const server = await killableServer();
const debugPort = await findFreePort();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [`--remote-debugging-port=${debugPort}`, '--no-sandbox', '--disable-gpu'],
});
try {
  await server.start();
  await server.disableCaptcha();
  const site = await siteClient(server.api);
  const publish = async (name: string, bytes: Buffer) => {
    const id = await site.create(await site.upload(name, bytes));
    await site.waitUntil(id, isComplete, 900_000);
    return id;
  };

  const bytes = await makeChinesePdf(folder, 'book', 350);
  const book = await publish('book.pdf', bytes);
  await benchFirstPage(book, bytes);
  await benchPaint(book);
  const line = 'The quick brown fox jumps over the lazy dog and reads on. ';
  const thousand = makePdf({ pages: 1_000, text: (page) => `${page} ${line.repeat(3)}` });
  await benchScrolling(browser, await publish('thousand.pdf', thousand));
  await benchManyReaders(book, site);
} finally {
  await browser.close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = exitCode();

/** Bytes by kind until the first page is visible, for a first-time visitor. */
async function measureReaderBytes(id: number) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  const byteCounts = { image: 0, data: 0, code: 0 };
  const kinds = new Map<string, keyof typeof byteCounts>();
  network.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    const isCode = /^\/assets\/|^\/fonts\//.test(pathname);
    kinds.set(requestId, isCode ? 'code' : /image/.test(response.mimeType) ? 'image' : 'data');
  });
  let isPageVisible = false;
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind && !isPageVisible) byteCounts[kind] += encodedDataLength;
  });
  await network.send('Network.enable');
  await page.goto(`${server.origin}/document/${id}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('[data-page="1"] img');
    return image?.complete && image.naturalWidth > 0;
  });
  isPageVisible = true;
  await context.close();
  return byteCounts;
}

async function benchFirstPage(id: number, pdf: Buffer) {
  const ours = await measureReaderBytes(id);
  const pdfjs = await measurePdfjsBytes(browser, pdf, folder);
  const page = await requestApi<{ page: { url: string }[] }>(`/document/pages?id=${id}&size=1`);
  const response = await fetch(server.origin + (page.page[0]?.url ?? ''));
  const image = (await response.arrayBuffer()).byteLength;
  report(
    'bytes to the first page of a book',
    {
      pages: pdfjs.pages,
      book_bytes: pdf.length,
      first_image: image,
      ours_images: ours.image,
      ours_data: ours.data,
      ours_code: ours.code,
      pdfjs_ranges: pdfjs.ranges,
      pdfjs_requests: pdfjs.requests,
      pdfjs_code: pdfjs.code,
      ratio: (pdfjs.ranges + pdfjs.code) / (ours.image + ours.data),
      ratio_of_documents_alone: pdfjs.ranges / image,
      ratio_of_everything: (pdfjs.ranges + pdfjs.code) / (ours.image + ours.data + ours.code),
      limit: 8,
    },
    (pdfjs.ranges + pdfjs.code) / (ours.image + ours.data) >= 8,
  );
}

async function requestApi<T>(path: string): Promise<T> {
  return (await fetch(`${server.api}${path}`)).json() as Promise<T>;
}

/** Lighthouse's mobile profile with a cold cache. */
async function benchPaint(id: number) {
  const result = await lighthouse(`${server.origin}/document/${id}`, {
    port: debugPort,
    onlyCategories: ['performance'],
    logLevel: 'error',
  });
  const value = (name: string) => result?.lhr.audits[name]?.numericValue ?? 0;
  const lcp = value('largest-contentful-paint');
  const figures = { lcp_ms: lcp, blocking_ms: value('total-blocking-time'), limit_ms: 2_000 };
  report('largest paint on a throttled phone', figures, lcp > 0 && lcp <= 2_000);
}

/** Private memory of a process. */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
  return kilobytes.reduce((sum, [, size]) => sum + Number(size) * 1024, 0);
}

async function benchScrolling(browser: Browser, id: number) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const debug = await browser.newBrowserCDPSession();
  const rendererPids = async () => {
    const { processInfo } = await debug.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  const measureMemory = async () => Math.max(...(await Promise.all((await rendererPids()).map(privateBytes))));
  const blankBytes = await measureMemory();
  await page.goto(`${server.origin}/document/${id}`);
  await page.locator('[data-page="1"] img').first().waitFor();
  await page.evaluate(() => {
    const tasks = { longestMs: 0 };
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.longestMs = Math.max(tasks.longestMs, duration);
    }).observe({ type: 'longtask', buffered: false });
  });
  let peakBytes = 0;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 2_400) {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    await sleep(60);
    if (y % 24_000 === 0) peakBytes = Math.max(peakBytes, await measureMemory());
  }
  const longestMs = await page.evaluate(() => (window as unknown as { tasks: { longestMs: number } }).tasks.longestMs);
  const lastPage = await page.getByLabel(/^页码/).inputValue();
  const readingMemory = await readPages(page, height, measureMemory);
  await page.close();
  const figures = { blank_mb: blankBytes / MB, peak_mb: peakBytes / MB, limit_mb: 150, last: Number(lastPage) };
  report('memory while scrolling 1,000 pages', figures, peakBytes / MB <= 150 && lastPage === '1000');
  const isFlat = readingMemory.lowest_of_last_50_mb <= readingMemory.lowest_of_first_50_mb * 1.3;
  report('memory while reading pages', readingMemory, isFlat);
  report('longest task while scrolling', { ms: longestMs, limit_ms: 200 }, longestMs <= 200);
}

/**
 * Stops at a hundred places until the pages there are rendered: memory must not grow. The garbage collector runs in
 * between, so the lowest values show the retained memory.
 */
async function readPages(page: Page, height: number, measureMemory: () => Promise<number>) {
  const samples: number[] = [];
  for (let stop = 0; stop < 100; stop++) {
    await page.evaluate((top) => window.scrollTo(0, top), (height * stop) / 100);
    await sleep(400);
    samples.push((await measureMemory()) / MB);
  }
  return {
    lowest_of_first_50_mb: Math.min(...samples.slice(0, 50)),
    lowest_of_last_50_mb: Math.min(...samples.slice(50)),
    median_mb: median(samples),
    highest_mb: Math.max(...samples),
  };
}

/** Each reader turns a page twice a second, at different places, while a document is converted. */
async function benchManyReaders(id: number, client: Awaited<ReturnType<typeof siteClient>>) {
  const urls: string[] = [];
  for (let page = 1; page <= 300; page += 50) {
    const response = await requestApi<{ page: { url: string }[] }>(`/document/pages?id=${id}&page=${page}&size=50`);
    urls.push(...response.page.map(({ url }) => url));
  }
  const text = (page: number) => `Beside ${page}`;
  await client.create(await client.upload('beside.pdf', makePdf({ pages: 400, text })));
  const times: number[] = [];
  let errors = 0;
  const deadline = performance.now() + 15_000;
  const runReader = async (index: number) => {
    await sleep(Math.random() * 500);
    for (let position = index * 7; performance.now() < deadline; position++) {
      const startedAt = performance.now();
      const response = await fetch(server.origin + (urls[position % urls.length] ?? ''));
      await response.arrayBuffer();
      times.push(performance.now() - startedAt);
      if (response.status !== 200) errors++;
      await sleep(500);
    }
  };
  await Promise.all(Array.from({ length: READER_COUNT }, (_, index) => runReader(index)));
  const p95 = percentile(times, 0.95);
  report(
    `${READER_COUNT} readers while a conversion runs`,
    {
      images: times.length,
      p50_ms: median(times),
      p95_ms: p95,
      errors,
      limit_ms: 200,
    },
    p95 <= 200 && errors === 0,
  );
}
