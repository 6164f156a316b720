import { rm } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { Context } from '#platform/server/context.ts';
import { pageName } from '../page-name.ts';
import { type RenditionVersion, renditionStorageKeys } from '../rendition-keys.ts';
import { PermanentConversionError } from './conversion-errors.ts';
import { parseSection } from './parse-section.ts';
import { workFile } from './run-sandboxed-converter.ts';
import { withOutputFile } from './sandbox-output-file.ts';

const MAX_CONCURRENT_WRITES = 6;
/**
 * Moves the output of the sandboxed converter into the storage while the converter runs. `settle` waits for all writes
 * and throws the first error.
 */
export function createConverterOutputStore(
  ctx: Context,
  rendition: RenditionVersion,
  folder: string,
  signal: AbortSignal,
) {
  const keys = renditionStorageKeys(rendition);
  const limitWrites = pLimit(MAX_CONCURRENT_WRITES);
  const writes: Promise<void>[] = [];
  let failure: unknown;
  const add = (work: () => Promise<void>) => {
    const write = limitWrites(async () => {
      if (!failure && !signal.aborted) await work();
    });
    writes.push(
      write.catch((error: unknown) => {
        failure ??= error;
      }),
    );
  };
  const move = async (name: string, key: string, { isSourceReused = false } = {}) => {
    await withOutputFile(folder, name, async (file) =>
      ctx.storage.put(key, isSourceReused ? file.createReadStream({ autoClose: false }) : await file.readFile()),
    );
    if (!isSourceReused) await rm(workFile(folder, name), { force: true });
  };
  return {
    /** Calls `onStored` after both images are stored. */
    page(page: number, onStored: () => void) {
      add(async () => {
        await move(`p/${pageName(page)}.webp`, keys.page(page));
        await move(`s/${pageName(page)}.webp`, keys.smallPage(page));
        onStored();
      });
    },
    section(page: number, onStored: () => void) {
      add(async () => {
        const name = `f/${pageName(page)}.json`;
        const section = await withOutputFile(folder, name, parseSection);
        await ctx.storage.put(keys.section(page), Buffer.from(JSON.stringify(section)));
        await rm(workFile(folder, name), { force: true });
        onStored();
      });
    },
    file: (name: string) => add(() => move(name, keys.picture(name.slice('i/'.length)))),
    cover: () => add(() => move('cover.webp', keys.cover)),
    meta: () => add(() => move('meta.json', keys.meta, { isSourceReused: true })),
    /** Stores the text of all pages and the word boxes, then calls `onStored`. */
    text(onStored: () => Promise<void>) {
      add(async () => {
        await move('words.bin', keys.words, { isSourceReused: true });
        await move('text.txt', keys.text, { isSourceReused: true });
        await move('meta.json', keys.meta, { isSourceReused: true });
        await onStored();
      });
    },
    plainText: () => add(() => move('text.txt', keys.text, { isSourceReused: true })),
    async settle() {
      await Promise.all(writes.splice(0));
      signal.throwIfAborted();
      if (failure) throw failure instanceof PermanentConversionError ? failure : new StorageUnavailable(failure);
    },
  };
}

/** The conversion is retried later without counting an attempt. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
  constructor(cause: unknown) {
    super('存储暂时不可用', { cause });
  }
}
