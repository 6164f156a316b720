/** Measures an index that other processes change: whether a search finds the change, and how long both take. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import type { BenchEngine } from './bench-engine.ts';
import { findWithEngine, makeRequest } from './bench-engine-searches.ts';
import type { WriterRequest, WriterResponse, WriterSetup } from './bench-engine-writer.ts';
import { percentile } from './bench-report.ts';
import { type BenchReport, measureMs } from './bench-search-queries.ts';

const WRITER_COUNT = 2;
const PRICE_CHANGES = 50;
const WRITING_MS = 20_000;
/** More than one writer can write within the time. */
const DOCUMENTS_PER_WRITER = 400;
const WORD = '可以';
const ROUND_PAUSE_MS = 50;

type SharedIndex = { ctx: Context; engine: BenchEngine } & WriterSetup;

async function nextResponse(writer: ChildProcess): Promise<WriterResponse> {
  const [response] = await once(writer, 'message', { signal: AbortSignal.timeout(10 * 60_000) });
  return response;
}

async function request(writer: ChildProcess, message: WriterRequest): Promise<WriterResponse> {
  const response = nextResponse(writer);
  writer.send(message);
  return response;
}

/** Another process makes a document free or not; the next search must count it so. */
async function measureVisibility(
  { ctx, engine }: SharedIndex,
  writer: ChildProcess,
  name: string,
  report: BenchReport,
) {
  const search = async () => findWithEngine(engine, await makeRequest(ctx, engine, WORD, {}));
  const first = await search();
  const id = first.candidates[0]?.id;
  if (id === undefined) throw new Error('no document to change');
  const freeCount = async () => (await search()).facets.fee_type.get('free') ?? 0;
  const times: number[] = [];
  const errors: string[] = [];
  let staleCount = 0;
  await request(writer, { kind: 'price', id, price: 0 });
  const expectedCount = await freeCount();
  for (let round = 0; round < PRICE_CHANGES; round += 1) {
    const response = await request(writer, { kind: 'price', id, price: (round + 1) % 2 });
    times.push(...response.times);
    errors.push(...response.errors);
    if ((await freeCount()) !== expectedCount - ((round + 1) % 2)) staleCount += 1;
  }
  for (const error of new Set(errors)) console.log(`  ${error}`);
  report(
    `${name}: price changes of another process`,
    {
      changes: PRICE_CHANGES,
      change_p95_ms: percentile(times, 0.95),
      failed_changes: errors.length,
      stale_searches: staleCount,
      load: loadavg()[0] ?? 0,
    },
    staleCount === 0 && errors.length === 0,
  );
}

/** Each writer replaces single documents while this process searches. */
async function measureConcurrentWrites(
  { ctx, engine }: SharedIndex,
  writers: ChildProcess[],
  name: string,
  report: BenchReport,
) {
  const searchRequest = await makeRequest(ctx, engine, WORD, {});
  const searchTimes: number[] = [];
  let isWriting = true;
  const writes = Promise.all(
    writers.map((writer, at) =>
      request(writer, {
        kind: 'put',
        start: at * DOCUMENTS_PER_WRITER,
        count: DOCUMENTS_PER_WRITER,
        durationMs: WRITING_MS,
      }),
    ),
  ).finally(() => {
    isWriting = false;
  });
  while (isWriting) {
    searchTimes.push(await measureMs(() => findWithEngine(engine, searchRequest)));
    await new Promise((resolve) => setTimeout(resolve, ROUND_PAUSE_MS));
  }
  const responses = await writes;
  const writeTimes = responses.flatMap(({ times }) => times);
  const errors = responses.flatMap((response) => response.errors);
  for (const error of new Set(errors)) console.log(`  ${error}`);
  report(
    `${name}: ${writers.length} processes write`,
    {
      writes: writeTimes.length,
      failed_writes: errors.length,
      write_p95_ms: percentile(writeTimes, 0.95),
      searches: searchTimes.length,
      find_p95_ms: percentile(searchTimes, 0.95),
      load: loadavg()[0] ?? 0,
    },
    errors.length === 0,
  );
}

export async function measureSharedIndex(index: SharedIndex, name: string, report: BenchReport): Promise<void> {
  const setup: WriterSetup = { options: index.options, termsFolder: index.termsFolder };
  const writers = Array.from({ length: WRITER_COUNT }, () =>
    fork(path.join(import.meta.dirname, 'bench-engine-writer.ts'), [JSON.stringify(setup)]),
  );
  try {
    await Promise.all(writers.map(nextResponse));
    for (const writer of writers.slice(0, 1)) await measureVisibility(index, writer, name, report);
    await measureConcurrentWrites(index, writers, name, report);
  } finally {
    for (const writer of writers) writer.disconnect();
  }
}
