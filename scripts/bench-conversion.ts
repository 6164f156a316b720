/**
 * How fast documents become readable, each figure beside the bare tool in the same run. Prints JSON
 * lines; exits 1 when a promise is not kept.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { makeDocx } from '#modules/conversion/document-files.fixture.ts';
import { chinesePdf, runOffice, sentence } from './bench-book.ts';
import { compareIngest } from './bench-ingest.ts';
import { benchReport, median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, isReadable, siteClient } from './site-client.ts';

const MB = 1024 * 1024;
const folder = await mkdtemp(path.join(tmpdir(), 'douku-bench-'));
const root = path.join(import.meta.dirname, '..');
const { report, exitCode } = benchReport();

/** The workshop alone: no queue, no sandbox, no storage. Milliseconds until page 1 and until all. */
async function bareRender(pdf: Buffer, text: boolean): Promise<{ first: number; all: number; pages: number }> {
  const input = path.join(folder, 'bare.pdf');
  const output = path.join(folder, 'bare');
  await writeFile(input, pdf);
  await rm(output, { recursive: true, force: true });
  await mkdir(output);
  const options = {
    from: 1,
    first: 3,
    text,
    skip: [],
    parallel: Math.max(2, availableParallelism()),
  };
  const began = performance.now();
  const script = path.join(root, 'src/modules/conversion/sandboxed/main.ts');
  const child = spawn(process.execPath, ['--no-warnings', script, 'pdf', input, output, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let [first, pages] = [0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { type: string; page?: number };
    if (event.type === 'page') pages++;
    if (event.type === 'page' && first === 0) first = performance.now() - began;
  }
  return { first, all: performance.now() - began, pages };
}

/**
 * What a process and all below it hold, shared pages counted once; not the database, which is an
 * operator's own elsewhere.
 */
async function memoryOf(pid: number): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  if ((await read('comm')).startsWith('postgres')) return 0;
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(await read('smaps_rollup'))?.[1] ?? 0) * 1024;
  const children = (await read(`task/${pid}/children`)).split(' ').filter(Boolean).map(Number);
  const below = await Promise.all(children.map(memoryOf));
  return below.reduce((sum, part) => sum + part, own);
}

/** `npm run bench -- office` runs that one alone. */
const isWanted = (name: string) => process.argv.length < 3 || process.argv.includes(name);

const server = await killableServer();
try {
  await server.start('web');
  const worker = await server.startWorker();
  await server.dropCaptcha();
  const site = await siteClient(server.api);
  const send = async (name: string, bytes: Buffer) => site.create(await site.upload(name, bytes));

  // The first conversion ever makes the profile of the office program.
  const warm = path.join(folder, 'warm.rtf');
  await writeFile(warm, '{\\rtf1 warm}');
  await runOffice(warm);
  await site.until(await send('warm.rtf', await readFile(warm)), isComplete);

  if (isWanted('first')) {
    const hundred = await chinesePdf(folder, 'hundred', 100);
    const bareHundred = await bareRender(hundred, false);
    const id = await send('hundred.pdf', hundred);
    const firstPage = await site.until(id, isReadable);
    await site.until(id, isComplete);
    report(
      'pdf 100 pages: first page',
      { ms: firstPage, bare_ms: bareHundred.first, pages: bareHundred.pages, limit_ms: 1_500 },
      firstPage <= 1_500,
    );
  }

  if (isWanted('office')) {
    const lines = Array.from({ length: 20 }, (_, line) => `${line} ${sentence}`);
    const letter = path.join(folder, 'small.docx');
    await writeFile(letter, makeDocx(...lines));
    // Taken in turns, so that whatever else the machine does falls on both.
    const [bare, times]: [number[], number[]] = [[], []];
    for (let round = 0; round < 7; round++) {
      bare.push(await runOffice(letter));
      const bytes = makeDocx(`第 ${round} 次`, ...lines);
      const id = await send('small.docx', bytes);
      times.push(await site.until(id, isReadable));
      await site.until(id, isComplete);
    }
    report(
      'small office document: first page',
      { ms: median(times), bare_ms: median(bare), ratio: median(times) / median(bare), limit: 1.5 },
      median(times) <= 1.5 * median(bare),
    );
  }

  if (isWanted('search')) {
    const delays: number[] = [];
    for (let round = 0; round < 7; round++) {
      const word = `zx${randomBytes(5).toString('hex')}`;
      const id = await send('word.docx', makeDocx(`${word} ${sentence}`));
      await site.until(id, isComplete);
      delays.push(await site.untilFound(id, word));
    }
    report(
      'converted document: until search finds a word of it',
      { ms: median(delays), longest_ms: Math.max(...delays), limit_ms: 1_000 },
      Math.max(...delays) <= 1_000,
    );
  }

  if (isWanted('many')) {
    const many = await chinesePdf(folder, 'many', 300);
    // The same pages in a file of its own: equal files are converted once.
    const convert = async (round: number) => {
      const bytes = Buffer.concat([many, Buffer.from(`\n% ${round}\n`)]);
      return site.until(await send('many.pdf', bytes), isComplete, 600_000);
    };
    // Taken in turns, so that whatever else the machine does falls on both.
    const [bare, times]: [Awaited<ReturnType<typeof bareRender>>[], number[]] = [[], []];
    for (let round = 0; round < 3; round++) {
      bare.push(await bareRender(many, false));
      times.push(await convert(round));
    }
    const [all, bareMs] = [median(times), median(bare.map(({ all }) => all))];
    const pages = bare[0]?.pages ?? 0;
    report(
      'pdf 300 pages: complete',
      { ms: all, bare_ms: bareMs, ratio: all / bareMs, pages, limit: 1.3 },
      all <= 1.3 * bareMs,
    );
    let peak = 0;
    // Counting holds up what is counted, so that conversion is not timed.
    const tree = setInterval(async () => {
      peak = Math.max(peak, await memoryOf(worker));
    }, 1_000);
    await convert(times.length);
    clearInterval(tree);
    report('memory of the worker with its conversion', { peak_mb: peak / MB, limit_mb: 600 }, peak / MB <= 600);
  }
} finally {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
if (isWanted('ingest')) {
  const { few, lots } = await compareIngest(1_000, 100_000);
  report(
    'ingest of one document',
    { at_1000_ms: few, at_100000_ms: lots, ratio: lots / few, limit: 1.1 },
    lots <= 1.1 * few,
  );
}
process.exitCode = exitCode();
