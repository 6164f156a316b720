import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { convertDocument } from '#modules/conversion/convert/convert-document.ts';
import { findRendition, pipelineVersion, type Rendition } from '#modules/conversion/rendition.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { projectRoot } from '#platform/server/config.ts';

const CACHE_FOLDER = join(projectRoot, 'node_modules/.cache/test-conversions');
/** Limits the entries of generated texts, which are never used again; the files of the corpus are fewer. */
const MAX_ENTRIES = 400;
const OUTCOME_FILE = 'outcome.json';

type CachedOutcome = Pick<
  Rendition,
  | 'view'
  | 'version'
  | 'pages'
  | 'ready_pages'
  | 'width'
  | 'height'
  | 'language'
  | 'summary'
  | 'text_size'
  | 'has_pdf'
  | 'scanned_pages'
>;

/**
 * Converts a file only if no test has converted it before with this pipeline version and this code, in
 * this run or an earlier one. Tests of the conversion itself use `convertDocument`.
 */
export const convertCached: typeof convertDocument = async (ctx, lease, attempt, level) => {
  const { id, hash, format, state } = lease.rendition;
  const keys = renditionStorageKeys({ hash, format, version: pipelineVersion(format) });
  const folder = join(CACHE_FOLDER, `${keys.prefix.replaceAll('/', '_')}${await sourceHash()}`);
  const cachedOutcome = state === 'waiting' ? await readOutcome(folder) : null;
  if (!cachedOutcome) {
    await convertDocument(ctx, lease, attempt, level);
    const rendition = await findRendition(ctx, id);
    if (rendition?.state === 'ready' && rendition.version === pipelineVersion(format))
      await save(folder, rendition, async (write) => {
        for await (const { key } of ctx.storage.list(keys.prefix))
          await write(key.slice(keys.prefix.length), await buffer((await ctx.storage.get(key)).stream));
      });
    return;
  }
  for (const { parentPath, name } of await filesIn(folder)) {
    const file = join(parentPath, name);
    await ctx.storage.put(`${keys.prefix}${file.slice(folder.length + 1)}`, await readFile(file));
  }
  const ready_at = ctx.now().toISOString();
  await lease.change({ ...cachedOutcome, state: 'ready', reason: '', attempts: 1, ready_at });
  await lease.release({ convert_after: null, is_urgent: false });
};

/** Removes the least recently used entries. */
export async function pruneConversions(): Promise<void> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  const entries = await Promise.all(
    (await readdir(CACHE_FOLDER)).map(async (name) => {
      const path = join(CACHE_FOLDER, name);
      // Another run may have renamed or removed it.
      const entry = await whenPresent(stat(path));
      return { path, usedAt: entry?.mtimeMs ?? 0 };
    }),
  );
  const entriesToRemove = entries.sort((a, b) => b.usedAt - a.usedAt).slice(MAX_ENTRIES);
  for (const { path } of entriesToRemove) {
    // Renamed first, so that an entry with its final name is always complete.
    const removedFolder = join(CACHE_FOLDER, `removed-${crypto.randomUUID()}`);
    await whenPresent(rename(path, removedFolder));
    await rm(removedFolder, { recursive: true, force: true });
  }
}

async function whenPresent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

let sourceHashPromise: Promise<string> | undefined;

/** Hash of the conversion code: after a change of the code, cached results must not be used. */
const sourceHash = () => {
  sourceHashPromise ??= hashSources();
  return sourceHashPromise;
};

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const part of ['convert', 'sandboxed', 'detect']) {
    const folder = join(projectRoot, 'src/modules/conversion', part);
    const names = await readdir(folder, { recursive: true });
    for (const name of names.filter((each) => /(?<!\.test)\.ts$/.test(each)).sort())
      hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function readOutcome(folder: string): Promise<CachedOutcome | null> {
  const text = await whenPresent(readFile(join(folder, OUTCOME_FILE), 'utf8'));
  if (text === null) return null;
  await whenPresent(utimes(folder, new Date(), new Date()));
  return JSON.parse(text) as CachedOutcome;
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name !== OUTCOME_FILE,
  );

/** The folder gets its final name when it is complete; another worker may have created it meanwhile. */
async function save(
  folder: string,
  rendition: Rendition,
  copyFiles: (write: (name: string, bytes: Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  const unfinishedFolder = await mkdtemp(join(CACHE_FOLDER, 'unfinished-'));
  await copyFiles(async (name, bytes) => {
    await mkdir(dirname(join(unfinishedFolder, name)), { recursive: true });
    await writeFile(join(unfinishedFolder, name), bytes);
  });
  const { view, version, pages, ready_pages, width, height, language, summary } = rendition;
  const { text_size, has_pdf, scanned_pages } = rendition;
  const outcome: CachedOutcome = {
    view,
    version,
    pages,
    ready_pages,
    width,
    height,
    language,
    summary,
    text_size,
    has_pdf,
    scanned_pages,
  };
  await writeFile(join(unfinishedFolder, OUTCOME_FILE), JSON.stringify(outcome));
  await rename(unfinishedFolder, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinishedFolder, { recursive: true });
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code ?? '')) throw error;
  });
}
