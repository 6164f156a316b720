/**
 * `npm run bench:search-engines -- --documents N --data FOLDER --engine fts5|lancedb|own`: measures other full-text indexes
 * on the corpus that `npm run bench:search` created in the folder, with the same terms, queries, filters and facets. An
 * index that is complete is only searched. LanceDB is imported from the folder of `--lancedb`, where it was installed with
 * `npm install --prefix FOLDER @lancedb/lancedb`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { postgresEngine } from '#modules/search/postgres/postgres-engine.ts';
import type { BenchEngine } from './bench-engine.ts';
import { cacheDocumentTerms, readDocumentBatches } from './bench-engine-documents.ts';
import { openPostgres } from './bench-engine-postgres.ts';
import { fixedTime, measureEngineSearches } from './bench-engine-searches.ts';
import { measureSharedIndex } from './bench-engine-sharing.ts';
import { type FileEngineOptions, openFileEngine } from './bench-file-engine.ts';
import { benchReport } from './bench-report.ts';
import { PAGES } from './bench-search-corpus.ts';
import { processorSeconds } from './processor-time.ts';
import { type TemporarySite, withTemporarySite } from './temporary-site.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    data: { type: 'string' },
    engine: { type: 'string', default: 'fts5' },
    lancedb: { type: 'string', default: '' },
    /** `positions`: the index finds phrases. `text`: phrases are checked in the texts, as for the site's index. */
    phrases: { type: 'string', default: 'positions' },
    /** Minutes after which indexing stops; the next run continues. */
    minutes: { type: 'string', default: '600' },
    /** Measures two processes that write while this one searches. */
    sharing: { type: 'boolean', default: false },
    /** Fills the site's index again from the cached terms, to measure the rate without tokenization. */
    rebuild: { type: 'boolean', default: false },
  },
});
if (!values.data) throw new Error('--data <folder> is missing');
if (!['fts5', 'lancedb', 'own'].includes(values.engine)) throw new Error('--engine is fts5, lancedb or own');
const folder = values.data;
const documentCount = Number(values.documents);
const deadline = Date.now() + Number(values.minutes) * 60_000;
const isSiteIndex = values.engine === 'own';
const label = isSiteIndex ? 'own' : `${values.engine}-${values.phrases}`;
const termsFolder = path.join(folder, 'terms');
const BATCH_SIZE = 128;
const MB = 1024 * 1024;
const { report, exitCode } = benchReport();

const fileEngineOptions: FileEngineOptions = {
  name: values.engine,
  folder: path.join(folder, label),
  lancedb: values.lancedb,
  hasPositions: values.phrases === 'positions',
};

type FillProgress = {
  documents: number;
  seconds: number;
  processorSeconds: number;
  isComplete: boolean;
};
const progressFile = path.join(folder, `${label}.json`);
const readProgress = (): FillProgress =>
  existsSync(progressFile)
    ? JSON.parse(readFileSync(progressFile, 'utf8'))
    : { documents: 0, seconds: 0, processorSeconds: 0, isComplete: false };

/** Continues at the document where the previous run stopped. Returns whether the index is complete. */
async function fillIndex(engine: BenchEngine, name: string): Promise<FillProgress> {
  const progress = readProgress();
  if (progress.isComplete) return progress;
  /** Reading the terms is not part of the rate. */
  const measure = async (work: () => Promise<void>) => {
    const processorSecondsBefore = processorSeconds(folder);
    const startedAt = performance.now();
    await work();
    progress.seconds += (performance.now() - startedAt) / 1000;
    progress.processorSeconds += processorSeconds(folder) - processorSecondsBefore;
  };
  const batches = readDocumentBatches(termsFolder, {
    start: progress.documents,
    count: documentCount,
    batchSize: BATCH_SIZE,
  });
  for (const documents of batches) {
    await measure(() => engine.put(documents));
    progress.documents += documents.length;
    writeFileSync(progressFile, JSON.stringify(progress));
    if (Date.now() > deadline) return progress;
  }
  await measure(() => engine.compact());
  progress.isComplete = true;
  writeFileSync(progressFile, JSON.stringify(progress));
  const pages = progress.documents * PAGES;
  const rate = pages / progress.seconds;
  const figures = {
    documents: progress.documents,
    seconds: progress.seconds,
    pages_per_second: rate,
    limit: 500,
    pages_per_processor_second: pages / progress.processorSeconds,
    load: loadavg()[0] ?? 0,
  };
  report(`${name}: indexing cached terms`, figures, rate >= 500);
  return progress;
}

async function reportSizes({ ctx }: TemporarySite, engine: BenchEngine, name: string): Promise<void> {
  const { documents, textSize } = await postgresEngine.measure(ctx);
  if (documents < documentCount) throw new Error("the site's index is incomplete: run --engine own first");
  const sizes = await engine.measureSizes();
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const parts = Object.fromEntries(Object.entries(sizes).map(([part, size]) => [`${part}_mb`, size / MB]));
  const ratio = total / textSize;
  report(`${name}: index size`, { ...parts, text_mb: textSize / MB, ratio, limit: 1.5 }, ratio <= 1.5);
}

async function cacheTerms(site: TemporarySite): Promise<boolean> {
  const startedAt = performance.now();
  const processorSecondsBefore = processorSeconds(folder);
  const { writtenCount, isComplete } = await cacheDocumentTerms(site, {
    folder: termsFolder,
    count: documentCount,
    deadline,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const figures = {
    documents: writtenCount,
    seconds,
    pages_per_second: (writtenCount * PAGES) / seconds,
    pages_per_processor_second: (writtenCount * PAGES) / (processorSeconds(folder) - processorSecondsBefore),
    load: loadavg()[0] ?? 0,
  };
  if (writtenCount > 0) report(`${documentCount} documents: tokenizing`, figures, true);
  return isComplete;
}

async function benchEngine(site: TemporarySite): Promise<void> {
  const ctx = fixedTime(site.ctx);
  if (!(await cacheTerms(site))) return console.log('time limit reached; run again with the same --data to continue');
  const isEmptied = values.rebuild && !existsSync(progressFile);
  const engine = isSiteIndex ? await openPostgres(site, { isEmptied }) : await openFileEngine(fileEngineOptions);
  try {
    const name = `${documentCount} documents, ${label}`;
    const isFilled = isSiteIndex && !isEmptied && (await engine.countDocuments()) >= documentCount;
    const progress = isFilled ? null : await fillIndex(engine, name);
    if (progress && !progress.isComplete)
      return console.log(`${progress.documents} documents indexed; run again to continue`);
    await reportSizes(site, engine, name);
    const countsFile = path.join(folder, 'counts.json');
    await measureEngineSearches({ ctx, engine, isSiteIndex, folder }, { name, documentCount, countsFile }, report);
    if (values.sharing && !isSiteIndex)
      await measureSharedIndex({ ctx, engine, options: fileEngineOptions, termsFolder }, name, report);
  } finally {
    await engine.close();
  }
}

await withTemporarySite(path.join(folder, 'corpus'), { runJobs: false }, benchEngine);
process.exitCode = exitCode();
