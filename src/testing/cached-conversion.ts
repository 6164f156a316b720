import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Content, findContent, pipelineVersion } from '#modules/content/content.ts';
import { derivedKeys } from '#modules/content/content-keys.ts';
import { convertDocument } from '#modules/content/convert/convert-document.ts';
import { projectRoot } from '#platform/server/config.ts';

const CACHE = join(projectRoot, 'node_modules/.cache/test-conversions');
/** Texts that tests make up are converted once and never again; the files of the corpus are few. */
const MAX_ENTRIES = 400;
const OUTCOME = 'outcome.json';

type Outcome = Pick<
  Content,
  'view' | 'version' | 'pages' | 'ready_pages' | 'width' | 'height' | 'language' | 'summary'
>;

/**
 * Converts a file only if no test has converted it before with this pipeline version, in this run or
 * an earlier one. Tests of the conversion itself use `convertDocument`.
 */
export const convertCached: typeof convertDocument = async (ctx, lease, attempt, level) => {
  const { id, hash, format, state } = lease.content;
  const keys = derivedKeys({ hash, format, version: pipelineVersion(format) });
  const folder = join(CACHE, keys.prefix.replaceAll('/', '_'));
  const cached = state === 'waiting' ? await readOutcome(folder) : null;
  if (!cached) {
    await convertDocument(ctx, lease, attempt, level);
    const content = await findContent(ctx, id);
    if (content?.state === 'ready' && content.version === pipelineVersion(format))
      await save(folder, content, async (write) => {
        for await (const { key } of ctx.storage.list(keys.prefix))
          await write(
            key.slice(keys.prefix.length),
            await buffer((await ctx.storage.get(key)).stream),
          );
      });
    return;
  }
  for (const { parentPath, name } of await filesIn(folder)) {
    const file = join(parentPath, name);
    await ctx.storage.put(`${keys.prefix}${file.slice(folder.length + 1)}`, await readFile(file));
  }
  const ready_at = ctx.now().toISOString();
  await lease.change({ ...cached, state: 'ready', reason: '', attempts: 1, ready_at });
  await lease.release({ convert_after: null, is_urgent: false });
};

/** Removes the entries that were not used for the longest time. */
export async function pruneConversions(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const entries = await Promise.all(
    (await readdir(CACHE)).map(async (name) => {
      const path = join(CACHE, name);
      return { path, usedAt: (await stat(path)).mtimeMs };
    }),
  );
  const surplus = entries.sort((one, other) => other.usedAt - one.usedAt).slice(MAX_ENTRIES);
  for (const { path } of surplus) await rm(path, { recursive: true, force: true });
}

async function readOutcome(folder: string): Promise<Outcome | null> {
  try {
    const outcome = JSON.parse(await readFile(join(folder, OUTCOME), 'utf8')) as Outcome;
    await utimes(folder, new Date(), new Date());
    return outcome;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name !== OUTCOME,
  );

/** The folder gets its name when it is complete; another worker may have been faster. */
async function save(
  folder: string,
  { view, version, pages, ready_pages, width, height, language, summary }: Content,
  copyFiles: (write: (name: string, bytes: Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  await copyFiles(async (name, bytes) => {
    await mkdir(dirname(join(unfinished, name)), { recursive: true });
    await writeFile(join(unfinished, name), bytes);
  });
  const outcome: Outcome = { view, version, pages, ready_pages, width, height, language, summary };
  await writeFile(join(unfinished, OUTCOME), JSON.stringify(outcome));
  await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true });
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code ?? '')) throw error;
  });
}
