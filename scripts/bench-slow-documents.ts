/**
 * Whether documents that cost far too much hold up the others: a hundred good ones alone, then
 * another hundred with ten such among them. Also what the web process holds meanwhile. Prints JSON
 * lines; exits 1 when a promise is not kept.
 */
import { readFile } from 'node:fs/promises';
import { heavyPdf, makeDocx, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { benchReport, median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const GOOD = 100;
const MB = 1024 * 1024;
const PAGE_BYTES = 4096;

/** Texts, small PDFs and letters, no two alike. */
function goodFile(round: string, index: number): [name: string, bytes: Buffer] {
  const words = `${round} 第 ${index} 份文档`;
  if (index % 10 === 9) return ['letter.docx', makeDocx(words, 'A short letter.')];
  if (index % 3 === 0) return ['pages.pdf', makePdf({ pages: 3, text: (page) => `${round} ${index} ${page}` })];
  return ['note.txt', Buffer.from(`${words}。`.repeat(50))];
}

/** Pages that take minutes to draw, and letters that take minutes to lay out. */
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
  await server.dropCaptcha();
  const site = await siteClient(server.api);
  const send = async ([name, bytes]: [string, Buffer]) => site.create(await site.upload(name, bytes));
  const webProcess = server.pids()[0] ?? 0;
  const resident = async () => {
    const [, pages = '0'] = (await readFile(`/proc/${webProcess}/statm`, 'utf8')).split(' ');
    return (Number(pages) * PAGE_BYTES) / MB;
  };

  /** What it holds, as a rule, while this goes on. */
  const held = async (work: Promise<unknown>) => {
    const samples: number[] = [];
    const watch = setInterval(async () => samples.push(await resident()), 250);
    await work;
    clearInterval(watch);
    return median(samples);
  };

  /** Milliseconds until all good ones can be read. */
  const convert = async (round: string, bad: number) => {
    const files = Array.from({ length: GOOD }, (_, index) => goodFile(round, index));
    const slowFiles = Array.from({ length: bad }, (_, index) => slowFile(index));
    const began = performance.now();
    const ids: number[] = [];
    for (const [index, file] of files.entries()) {
      const between = index % (GOOD / bad) === 0 ? slowFiles.pop() : undefined;
      if (between) await send(between);
      ids.push(await send(file));
    }
    for (const id of ids) await site.until(id, isComplete, 900_000);
    return performance.now() - began;
  };

  await convert('预热', 0);
  const before = await held(convert('照旧', 0));
  const took = convert('单独', 0);
  const after = await held(took);
  const alone = await took;
  const growth = after / before;
  report(
    'web process over 100 conversions',
    { before_mb: before, after_mb: after, ratio: growth, limit: 1.15 },
    growth <= 1.15,
  );
  const among = await convert('夹杂', 10);
  const ratio = among / alone;
  report('100 good documents among 10 slow ones', { alone_ms: alone, among_ms: among, ratio, limit: 2 }, ratio <= 2);
} finally {
  await server.remove();
}
process.exitCode = exitCode();
