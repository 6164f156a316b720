import { rm } from 'node:fs/promises';
import type { Context } from '#platform/server/context.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { pageName } from '../page-name.ts';
import { derivedKeys } from '../rendition-keys.ts';
import { PermanentConversionError } from './conversion-errors.ts';
import { withOutputFile } from './output-file.ts';
import { parseSection } from './parse-section.ts';
import { workFile } from './run-sandboxed.ts';

const AT_ONCE = 6;
type Named = { hash: string; format: FileFormat };

/**
 * Moves what the workshop made into the storage while it goes on working. `settle` waits for all of
 * it and tells of the first that could not be stored.
 */
export function pageStore(ctx: Context, content: Named & { version: number }, folder: string, signal: AbortSignal) {
  const keys = derivedKeys(content);
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  let failure: unknown;
  const next = () => {
    while (running.size < AT_ONCE) {
      const work = waiting.shift();
      if (!work) return;
      const done: Promise<void> = work()
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          running.delete(done);
          next();
        });
      running.add(done);
    }
  };
  const add = (work: () => Promise<void>) => {
    waiting.push(async () => {
      if (!failure && !signal.aborted) await work();
    });
    next();
  };
  const move = async (name: string, key: string, { keep = false } = {}) => {
    await withOutputFile(folder, name, async (file) =>
      ctx.storage.put(key, keep ? file.createReadStream({ autoClose: false }) : await file.readFile()),
    );
    if (!keep) await rm(workFile(folder, name), { force: true });
  };
  return {
    /** Calls `then` once both images are stored. */
    page(page: number, then: () => void) {
      add(async () => {
        await move(`p/${pageName(page)}.webp`, keys.page(page));
        await move(`s/${pageName(page)}.webp`, keys.smallPage(page));
        then();
      });
    },
    section(page: number, then: () => void) {
      add(async () => {
        const name = `f/${pageName(page)}.json`;
        const section = await withOutputFile(folder, name, parseSection);
        await ctx.storage.put(keys.section(page), Buffer.from(JSON.stringify(section)));
        await rm(workFile(folder, name), { force: true });
        then();
      });
    },
    file: (name: string) => add(() => move(name, keys.picture(name.slice('i/'.length)))),
    cover: () => add(() => move('cover.webp', keys.cover)),
    meta: () => add(() => move('meta.json', keys.meta, { keep: true })),
    /** The text of all pages; `then` when it is stored with the list of where each page's words lie. */
    text(then: () => Promise<void>) {
      add(async () => {
        await move('words.bin', keys.words, { keep: true });
        await move('text.txt', keys.text, { keep: true });
        await move('meta.json', keys.meta, { keep: true });
        await then();
      });
    },
    plainText: () => add(() => move('text.txt', keys.text, { keep: true })),
    async settle() {
      while (running.size > 0 || waiting.length > 0) await Promise.all(running);
      signal.throwIfAborted();
      if (failure) throw failure instanceof PermanentConversionError ? failure : new StoringFailed(failure);
    },
  };
}

/** Not the document's fault: it is tried again later and no attempt is counted. */
export class StoringFailed extends Error {
  override name = 'StoringFailed';
  constructor(cause: unknown) {
    super('存储暂时不可用', { cause });
  }
}
