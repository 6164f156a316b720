/**
 * How light the reader is. Prints JSON lines; exits 1 when a promise is not kept. What a PDF viewer
 * loads is counted, not guessed: pdf.js opens the same book by ranges in the same browser.
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
import { chinesePdf } from './bench-book.ts';
import { bytesOfPdfjs } from './bench-reader-pdfjs.ts';
import { benchReport, median, percentile } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const MB = 1024 * 1024;
const READERS = 200;
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
  await server.dropCaptcha();
  const site = await siteClient(server.api);
  const publish = async (name: string, bytes: Buffer) => {
    const id = await site.create(await site.upload(name, bytes));
    await site.until(id, isComplete, 900_000);
    return id;
  };

  const bytes = await chinesePdf(folder, 'book', 350);
  const book = await publish('book.pdf', bytes);
  await firstPage(book, bytes);
  await paint(book);
  const line = 'The quick brown fox jumps over the lazy dog and reads on. ';
  const thousand = makePdf({ pages: 1_000, text: (page) => `${page} ${line.repeat(3)}` });
  await scroll(browser, await publish('thousand.pdf', thousand));
  await many(book, site);
} finally {
  await browser.close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = exitCode();

/** What travels until the first page is seen, by kind, of a visitor who was never here. */
async function bytesOfOurs(id: number) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  const sent = { image: 0, data: 0, code: 0 };
  const kinds = new Map<string, keyof typeof sent>();
  network.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    const isCode = /^\/assets\/|^\/fonts\//.test(pathname);
    kinds.set(requestId, isCode ? 'code' : /image/.test(response.mimeType) ? 'image' : 'data');
  });
  let isSeen = false;
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind && !isSeen) sent[kind] += encodedDataLength;
  });
  await network.send('Network.enable');
  await page.goto(`${server.origin}/document/${id}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('[data-page="1"] img');
    return image?.complete && image.naturalWidth > 0;
  });
  isSeen = true;
  await context.close();
  return sent;
}

async function firstPage(id: number, pdf: Buffer) {
  const ours = await bytesOfOurs(id);
  const pdfjs = await bytesOfPdfjs(browser, pdf, folder);
  const page = await ask<{ page: { url: string }[] }>(`/document/pages?id=${id}&size=1`);
  const answer = await fetch(server.origin + (page.page[0]?.url ?? ''));
  const image = (await answer.arrayBuffer()).byteLength;
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

async function ask<T>(path: string): Promise<T> {
  return (await fetch(`${server.api}${path}`)).json() as Promise<T>;
}

/** Lighthouse's mobile profile, a cold cache. */
async function paint(id: number) {
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

/** What a process keeps for itself alone. */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
  return kilobytes.reduce((sum, [, size]) => sum + Number(size) * 1024, 0);
}

async function scroll(browser: Browser, id: number) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const debug = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await debug.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  const memory = async () => Math.max(...(await Promise.all((await renderers()).map(privateBytes))));
  const blank = await memory();
  await page.goto(`${server.origin}/document/${id}`);
  await page.locator('[data-page="1"] img').first().waitFor();
  await page.evaluate(() => {
    const seen = { longest: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: 'longtask', buffered: false });
  });
  let peak = 0;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 2_400) {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    await sleep(60);
    if (y % 24_000 === 0) peak = Math.max(peak, await memory());
  }
  const longest = await page.evaluate(() => (window as unknown as { seen: { longest: number } }).seen.longest);
  const last = await page.getByLabel(/^页码/).inputValue();
  const read = await readOn(page, height, memory);
  await page.close();
  const figures = { blank_mb: blank / MB, peak_mb: peak / MB, limit_mb: 150, last: Number(last) };
  report('memory while scrolling 1,000 pages', figures, peak / MB <= 150 && last === '1000');
  const isFlat = read.lowest_of_last_50_mb <= read.lowest_of_first_50_mb * 1.3;
  report('memory while pages are looked at', read, isFlat);
  report('longest task while scrolling', { ms: longest, limit_ms: 200 }, longest <= 200);
}

/**
 * A reader stops at a hundred places until the pages there are drawn: memory must not grow. Garbage is
 * collected in between, so the lowest values show what is retained.
 */
async function readOn(page: Page, height: number, memory: () => Promise<number>) {
  const seen: number[] = [];
  for (let stop = 0; stop < 100; stop++) {
    await page.evaluate((top) => window.scrollTo(0, top), (height * stop) / 100);
    await sleep(400);
    seen.push((await memory()) / MB);
  }
  return {
    lowest_of_first_50_mb: Math.min(...seen.slice(0, 50)),
    lowest_of_last_50_mb: Math.min(...seen.slice(50)),
    median_mb: median(seen),
    highest_mb: Math.max(...seen),
  };
}

/** Everybody turns a page twice a second, each at a place of his own, while a document is converted. */
async function many(id: number, client: Awaited<ReturnType<typeof siteClient>>) {
  const urls: string[] = [];
  for (let page = 1; page <= 300; page += 50) {
    const answer = await ask<{ page: { url: string }[] }>(`/document/pages?id=${id}&page=${page}&size=50`);
    urls.push(...answer.page.map(({ url }) => url));
  }
  const text = (page: number) => `Beside ${page}`;
  await client.create(await client.upload('beside.pdf', makePdf({ pages: 400, text })));
  const spent: number[] = [];
  let errors = 0;
  const until = performance.now() + 15_000;
  const reader = async (at: number) => {
    await sleep(Math.random() * 500);
    for (let turn = at * 7; performance.now() < until; turn++) {
      const began = performance.now();
      const answer = await fetch(server.origin + (urls[turn % urls.length] ?? ''));
      await answer.arrayBuffer();
      spent.push(performance.now() - began);
      if (answer.status !== 200) errors++;
      await sleep(500);
    }
  };
  await Promise.all(Array.from({ length: READERS }, (_, at) => reader(at)));
  const p95 = percentile(spent, 0.95);
  report(
    `${READERS} readers while a conversion runs`,
    {
      images: spent.length,
      p50_ms: median(spent),
      p95_ms: p95,
      errors,
      limit_ms: 200,
    },
    p95 <= 200 && errors === 0,
  );
}
