/**
 * Measures how fast documents become readable, with the bare tool in the same run as baseline. Prints JSON lines; exits 1
 * if a figure exceeds its limit.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { makeDocx } from '#modules/conversion/document-files.fixture.ts';
import { makeChinesePdf, runOffice, sentence } from './bench-documents.ts';
import { compareIngest } from './bench-ingest.ts';
import { benchReport, median } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, isReadable, siteClient } from './site-client.ts';

const MB = 1024 * 1024;
const folder = await mkdtemp(path.join(tmpdir(), 'douku-bench-'));
const root = path.join(import.meta.dirname, '..');
const { report, exitCode } = benchReport();

/** The converter without queue, sandbox and storage: milliseconds until the first page and until all pages. */
async function renderBare(pdf: Buffer, text: boolean): Promise<{ first: number; all: number; pages: number }> {
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
  const startedAt = performance.now();
  const script = path.join(root, 'src/modules/conversion/sandboxed/main.ts');
  const child = spawn(process.execPath, ['--no-warnings', script, 'pdf', input, output, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let [first, pages] = [0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { type: string; page?: number };
    if (event.type === 'page') pages++;
    if (event.type === 'page' && first === 0) first = performance.now() - startedAt;
  }
  return { first, all: performance.now() - startedAt, pages };
}

/** Proportional set size of a process and its descendants in bytes, without the database. */
async function measureMemory(pid: number): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  if ((await read('comm')).startsWith('postgres')) return 0;
  const processBytes = Number(/^Pss:\s+(\d+) kB/m.exec(await read('smaps_rollup'))?.[1] ?? 0) * 1024;
  const children = (await read(`task/${pid}/children`)).split(' ').filter(Boolean).map(Number);
  const descendantBytes = await Promise.all(children.map(measureMemory));
  return descendantBytes.reduce((sum, bytes) => sum + bytes, processBytes);
}

/** `npm run bench -- office` runs only that part. */
const isSelected = (name: string) => process.argv.length < 3 || process.argv.includes(name);

const server = await killableServer();
try {
  await server.start('web');
  const worker = await server.startWorker();
  await server.disableCaptcha();
  const site = await siteClient(server.api);
  const publish = async (name: string, bytes: Buffer) => site.create(await site.upload(name, bytes));

  // The first conversion creates the LibreOffice profile.
  const warmUpFile = path.join(folder, 'warm.rtf');
  await writeFile(warmUpFile, '{\\rtf1 warm}');
  await runOffice(warmUpFile);
  await site.waitUntil(await publish('warm.rtf', await readFile(warmUpFile)), isComplete);

  if (isSelected('first')) {
    const hundredPages = await makeChinesePdf(folder, 'hundred', 100);
    const bareHundred = await renderBare(hundredPages, false);
    const id = await publish('hundred.pdf', hundredPages);
    const firstPage = await site.waitUntil(id, isReadable);
    await site.waitUntil(id, isComplete);
    report(
      'pdf 100 pages: first page',
      { ms: firstPage, bare_ms: bareHundred.first, pages: bareHundred.pages, limit_ms: 1_500 },
      firstPage <= 1_500,
    );
  }

  if (isSelected('office')) {
    const lines = Array.from({ length: 20 }, (_, line) => `${line} ${sentence}`);
    const letter = path.join(folder, 'small.docx');
    await writeFile(letter, makeDocx(...lines));
    // Alternating, so that other load on the machine affects both.
    const [bare, times]: [number[], number[]] = [[], []];
    for (let round = 0; round < 7; round++) {
      bare.push(await runOffice(letter));
      const bytes = makeDocx(`第 ${round} 次`, ...lines);
      const id = await publish('small.docx', bytes);
      times.push(await site.waitUntil(id, isReadable));
      await site.waitUntil(id, isComplete);
    }
    report(
      'small office document: first page',
      { ms: median(times), bare_ms: median(bare), ratio: median(times) / median(bare), limit: 1.5 },
      median(times) <= 1.5 * median(bare),
    );
  }

  if (isSelected('search')) {
    const delays: number[] = [];
    for (let round = 0; round < 7; round++) {
      const word = `zx${randomBytes(5).toString('hex')}`;
      const id = await publish('word.docx', makeDocx(`${word} ${sentence}`));
      await site.waitUntil(id, isComplete);
      delays.push(await site.waitUntilFound(id, word));
    }
    report(
      'time until search finds a word of a converted document',
      { ms: median(delays), longest_ms: Math.max(...delays), limit_ms: 1_000 },
      Math.max(...delays) <= 1_000,
    );
  }

  if (isSelected('large')) {
    const largePdf = await makeChinesePdf(folder, 'large', 300);
    // Appends a comment, because equal files are converted only once.
    const convert = async (round: number) => {
      const bytes = Buffer.concat([largePdf, Buffer.from(`\n% ${round}\n`)]);
      return site.waitUntil(await publish('large.pdf', bytes), isComplete, 600_000);
    };
    // Alternating, so that other load on the machine affects both.
    const [bare, times]: [Awaited<ReturnType<typeof renderBare>>[], number[]] = [[], []];
    for (let round = 0; round < 3; round++) {
      bare.push(await renderBare(largePdf, false));
      times.push(await convert(round));
    }
    const [ms, bareMs] = [median(times), median(bare.map(({ all }) => all))];
    const pages = bare[0]?.pages ?? 0;
    report(
      'pdf 300 pages: complete',
      { ms, bare_ms: bareMs, ratio: ms / bareMs, pages, limit: 1.3 },
      ms <= 1.3 * bareMs,
    );
    let peakBytes = 0;
    // Measuring slows the conversion down, so this conversion is not timed.
    const memoryTimer = setInterval(async () => {
      peakBytes = Math.max(peakBytes, await measureMemory(worker));
    }, 1_000);
    await convert(times.length);
    clearInterval(memoryTimer);
    report(
      'memory of the worker with its conversion',
      { peak_mb: peakBytes / MB, limit_mb: 600 },
      peakBytes / MB <= 600,
    );
  }
} finally {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
if (isSelected('ingest')) {
  const { smallMs, largeMs } = await compareIngest(1_000, 100_000);
  report(
    'ingest of one document',
    { at_1000_ms: smallMs, at_100000_ms: largeMs, ratio: largeMs / smallMs, limit: 1.1 },
    largeMs <= 1.1 * smallMs,
  );
}
process.exitCode = exitCode();
