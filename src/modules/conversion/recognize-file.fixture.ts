import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureProcessTree } from '#platform/server/sandbox/process-tree.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { recognizeLimits } from './convert/limits.ts';
import { runSandboxedConverter } from './convert/run-sandboxed-converter.ts';
import { pageName } from './page-name.ts';
import type { ConverterEvent } from './sandboxed/events.ts';
import { joinWords } from './sandboxed/join-words.ts';
import type { RecognizedPage } from './sandboxed/ocr/recognized-page.ts';

const MEASURE_INTERVAL_MS = 50;

/** Measures the programs of a task while they run. */
class MeasuredWorkload extends Workload {
  peakBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  override report(pid: number, cpuSeconds: number): void {
    super.report(pid, cpuSeconds);
    this.#timer ??= setInterval(async () => {
      const { residentBytes } = await measureProcessTree(pid);
      this.peakBytes = Math.max(this.peakBytes, residentBytes);
    }, MEASURE_INTERVAL_MS);
  }

  override end(pid: number): void {
    super.end(pid);
    clearInterval(this.#timer);
  }
}

type Options = {
  pages?: number[];
  engine?: 'paddle' | 'tesseract';
  /** Called with each event and a function that writes a command. */
  onEvent?: (event: ConverterEvent, send: (line: string) => void) => void;
};

/** Recognizes pages of a file in the sandbox. Throws if the sandboxed converter rejects the file. */
export async function recognizeFile(bytes: Buffer, { pages = [1], engine = 'paddle', onEvent }: Options = {}) {
  const root = await mkdtemp(path.join(tmpdir(), 'douku-ocr-'));
  const [input, folder] = [path.join(root, 'input'), await mkdtemp(path.join(root, 'work-'))];
  const workload = new MeasuredWorkload(0);
  const recognizedPages: number[] = [];
  let send: (line: string) => void = () => {};
  try {
    await writeFile(input, bytes);
    const end = await runSandboxedConverter({
      task: 'ocr',
      input,
      folder,
      options: { pages, engine },
      limits: recognizeLimits,
      workload,
      signal: new AbortController().signal,
      connectStdin: (write) => {
        send = write;
      },
      onEvent(event) {
        if (event.type === 'recognized') recognizedPages.push(event.page);
        onEvent?.(event, send);
      },
    });
    const results = await Promise.all(
      recognizedPages.map(async (page) => {
        const result: RecognizedPage = JSON.parse(
          await readFile(path.join(folder, 'o', `${pageName(page)}.json`), 'utf8'),
        );
        return { page, ...result, text: joinWords(result.words) };
      }),
    );
    const { cpuSeconds, peakBytes } = workload;
    return { ...end, results, cpuSeconds, peakMegabytes: peakBytes / 1024 ** 2 };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
