import type { Context } from '#platform/server/context.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import { textStatistics } from '../text-statistics.ts';
import type { ConversionTask } from './attempt.ts';
import { withOutputFile } from './output-file.ts';

const isComplete = ({ pages, ready_pages }: Lease['content']) => pages > 0 && ready_pages === pages;

/** How many pages are stored, written to the database now and then, one change after the other. */
export function renderProgress(ctx: Context, lease: Lease, attempt: ConversionTask) {
  const { content } = lease;
  const { folder } = attempt.workspace;
  const version = pipelineVersion(content.format);
  const isContinued = content.version === version && content.state === 'readable';
  // Readers keep the old pages until all new ones are there.
  const isRemade = !isContinued && content.ready_at !== null && isComplete(content);
  const stored = new Set<number>();
  const brokenPages = new Set<number>();
  let ready = isContinued ? content.ready_pages : 0;
  let written = ready;
  let isReadable = isContinued;
  let size = { pages: content.pages, width: content.width, height: content.height };
  let last: Promise<void> = Promise.resolve();
  /** `onWritten` runs only when the database has the values: what failed is written next time. */
  const change = (make: () => Parameters<Lease['change']>[0] | null, onWritten: () => void = () => {}) => {
    const next = last.then(async () => {
      const values = make();
      if (!values) return;
      await lease.change(values);
      onWritten();
    });
    last = next.catch(() => {});
    return next;
  };
  const write = () => {
    let count = written;
    return change(
      () => {
        if (isRemade || ready === written || brokenPages.size >= size.pages) return null;
        count = ready;
        return {
          ...size,
          ready_pages: count,
          interruptions: 0,
          ...(!isReadable && { ...readable, version }),
        };
      },
      () => {
        written = count;
        isReadable = true;
        attempt.isReadable = true;
      },
    );
  };
  return {
    ready: () => ready,
    pages: () => size.pages,
    allBroken: () => brokenPages.size > 0 && brokenPages.size >= size.pages,
    opened({ pages, width, height }: typeof size) {
      size = { pages, width, height };
    },
    broken: (page: number) => brokenPages.add(page),
    stored(page: number) {
      stored.add(page);
      while (stored.delete(ready + 1)) ready++;
      // Readers wait for the first page.
      if (ready >= 1 && !isReadable)
        write().catch((error: unknown) => ctx.log.warn({ err: error }, 'progress not written'));
    },
    write,
    async describe() {
      const description = await withOutputFile(folder, 'text.txt', textStatistics);
      await change(() => description);
    },
    finish: () =>
      change(() => ({
        ...readable,
        version,
        ...size,
        ready_pages: size.pages,
        state: 'ready',
        ready_at: ctx.now().toISOString(),
      })),
  };
}

const readable = {
  state: 'readable',
  view: 'pages',
  reason: '',
} as const;
