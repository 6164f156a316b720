import type { Context } from '#platform/server/context.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import { type RenditionMeta, renditionMeta } from '../rendition-meta.ts';
import { summarizeTextFile } from '../summarize-text-file.ts';
import type { ConversionTask } from './attempt.ts';
import { withOutputFile } from './sandbox-output-file.ts';

export type RenderProgress = ReturnType<typeof trackRenderProgress>;

const isComplete = ({ pages, ready_pages }: Lease['rendition']) => pages > 0 && ready_pages === pages;

/** Counts stored pages and writes the count to the database, one change after the other. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function trackRenderProgress(ctx: Context, lease: Lease, attempt: ConversionTask) {
  const { rendition } = lease;
  const { folder } = attempt.workspace;
  const version = pipelineVersion(rendition.format);
  const isContinued = rendition.version === version && rendition.state === 'readable';
  // Readers see the old pages until all new ones are stored.
  const isReconverted = !isContinued && rendition.ready_at !== null && isComplete(rendition);
  const storedPages = new Set<number>();
  const brokenPages = new Set<number>();
  let readyPages = isContinued ? rendition.ready_pages : 0;
  let writtenPages = readyPages;
  let isReadable = isContinued;
  let size = { pages: rendition.pages, width: rendition.width, height: rendition.height };
  let lastChange: Promise<void> = Promise.resolve();
  /** `onWritten` runs only after a successful write; a failed change is written the next time. */
  const change = (buildChange: () => Parameters<Lease['change']>[0] | null, onWritten: () => void = () => {}) => {
    const next = lastChange.then(async () => {
      const values = buildChange();
      if (!values) return;
      await lease.change(values);
      onWritten();
    });
    lastChange = next.catch(() => {});
    return next;
  };
  const write = () => {
    let count = writtenPages;
    return change(
      () => {
        if (isReconverted || readyPages === writtenPages || brokenPages.size >= size.pages) return null;
        count = readyPages;
        return {
          ...size,
          ready_pages: count,
          interruptions: 0,
          ...(!isReadable && { ...readableChange, version }),
        };
      },
      () => {
        writtenPages = count;
        isReadable = true;
        attempt.isReadable = true;
      },
    );
  };
  return {
    countReadyPages: () => readyPages,
    pages: () => size.pages,
    allBroken: () => brokenPages.size > 0 && brokenPages.size >= size.pages,
    opened({ pages, width, height }: typeof size) {
      size = { pages, width, height };
    },
    broken: (page: number) => brokenPages.add(page),
    stored(page: number) {
      storedPages.add(page);
      while (storedPages.delete(readyPages + 1)) readyPages++;
      // Readers wait for the first page, so it is written without waiting for the interval.
      if (readyPages >= 1 && !isReadable)
        write().catch((error: unknown) => ctx.log.warn({ err: error }, 'could not write conversion progress'));
    },
    write,
    async describe() {
      const description = await withOutputFile(folder, 'text.txt', summarizeTextFile);
      const { scannedPages, replacedFonts = [] } = await readStoredMeta(folder);
      await change(() => ({
        ...description,
        // Null if the converter did not list them.
        scanned_pages: scannedPages?.length ?? null,
        // The PDF of an office document has the fonts that LibreOffice chose.
        ...(replacedFonts.length > 0 && { replaced_fonts: replacedFonts }),
      }));
    },
    finish: () =>
      change(() => ({
        ...readableChange,
        version,
        ...size,
        ready_pages: size.pages,
        state: 'ready',
        ready_at: ctx.now().toISOString(),
      })),
  };
}

const readStoredMeta = (folder: string): Promise<RenditionMeta> =>
  withOutputFile(folder, 'meta.json', async (file) => renditionMeta.parse(JSON.parse(await file.readFile('utf8'))));

const readableChange = {
  state: 'readable',
  view: 'pages',
  reason: '',
} as const;
