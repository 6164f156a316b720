/**
 * Measures whether the memory of the web process grows with the number of conversions, and whether very slow documents
 * delay others: a hundred ordinary documents alone, then a hundred with ten slow ones among them. Prints JSON lines;
 * exits 1 if a figure exceeds its limit.
 */
import { readFile } from 'node:fs/promises';
import { heavyPdf, makeDocx, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { benchReport, median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const ORDINARY_COUNT = 100;
const MB = 1024 * 1024;
const MEMORY_PAGE_BYTES = 4096;
/**
 * V8 collects the old generation about every five hundred conversions, and the memory of the process rises and falls by a
 * third in between. A trend shows only between periods of several rounds.
 */
const ROUNDS_PER_PERIOD = 4;

/** Texts, small PDFs and letters, all different. */
function ordinaryFile(round: string, index: number): [name: string, bytes: Buffer] {
  const words = `${round} 第 ${index} 份文档`;
  if (index % 10 === 9) return ['letter.docx', makeDocx(words, 'A short letter.')];
  if (index % 3 === 0) return ['pages.pdf', makePdf({ pages: 3, text: (page) => `${round} ${index} ${page}` })];
  return ['note.txt', Buffer.from(`${words}。`.repeat(50))];
}

/** PDFs that take minutes to render and letters that take minutes to lay out. */
const slowFile = (index: number): [name: string, bytes: Buffer] =>
  index % 2 === 0
    ? ['heavy.pdf', heavyPdf(60 + index)]
    : [
        'endless.docx',
        makeDocx(...Array.from({ length: 120_000 }, (_, line) => `${index} 第 ${line} 行，没有尽头的正文`)),
      ];

const server = await killableServer();
const { report, exitCode } = benchReport();
try {
  await server.start();
  await server.disableCaptcha();
  const site = await siteClient(server.api);
  const send = async ([name, bytes]: [string, Buffer]) => site.create(await site.upload(name, bytes));
  const webProcess = server.pids()[0] ?? 0;
  const residentMegabytes = async () => {
    const [, pages = '0'] = (await readFile(`/proc/${webProcess}/statm`, 'utf8')).split(' ');
    return (Number(pages) * MEMORY_PAGE_BYTES) / MB;
  };

  /** Median memory of the web process while the work runs, in megabytes. */
  const measureMemory = async (work: Promise<unknown>) => {
    const samples: number[] = [];
    const timer = setInterval(async () => samples.push(await residentMegabytes()), 250);
    await work;
    clearInterval(timer);
    return median(samples);
  };

  /** Milliseconds until all ordinary documents are readable. */
  const convert = async (round: string, slowCount: number) => {
    const files = Array.from({ length: ORDINARY_COUNT }, (_, index) => ordinaryFile(round, index));
    const slowFiles = Array.from({ length: slowCount }, (_, index) => slowFile(index));
    const startedAt = performance.now();
    const ids: number[] = [];
    for (const [index, file] of files.entries()) {
      const slow = index % (ORDINARY_COUNT / slowCount) === 0 ? slowFiles.pop() : undefined;
      if (slow) await send(slow);
      ids.push(await send(file));
    }
    for (const id of ids) await site.waitUntil(id, isComplete, 900_000);
    return performance.now() - startedAt;
  };

  await convert('预热', 0);
  const roundMb: number[] = [];
  let aloneMs = 0;
  for (let round = 1; round <= 2 * ROUNDS_PER_PERIOD; round++) {
    const conversion = convert(`第 ${round} 轮`, 0);
    roundMb.push(await measureMemory(conversion));
    aloneMs = await conversion;
  }
  const beforeMb = median(roundMb.slice(0, ROUNDS_PER_PERIOD));
  const afterMb = median(roundMb.slice(ROUNDS_PER_PERIOD));
  const growth = afterMb / beforeMb;
  report(
    `web process over ${ROUNDS_PER_PERIOD * ORDINARY_COUNT} conversions`,
    { least_mb: Math.min(...roundMb), before_mb: beforeMb, after_mb: afterMb, ratio: growth, limit: 1.15 },
    growth <= 1.15,
  );
  const mixedMs = await convert('夹杂', 10);
  const ratio = mixedMs / aloneMs;
  report(
    '100 ordinary documents among 10 slow ones',
    { alone_ms: aloneMs, mixed_ms: mixedMs, ratio, limit: 2 },
    ratio <= 2,
  );
} finally {
  await server.remove();
}
process.exitCode = exitCode();
