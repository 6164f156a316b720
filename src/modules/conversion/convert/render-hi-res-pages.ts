import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { pageName } from '../page-name.ts';
import { findRendition } from '../rendition.ts';
import { originalKey, renditionStorageKeys } from '../rendition-keys.ts';
import { conversionLimits } from './limits.ts';
import { runSandboxedConverter } from './run-sandboxed-converter.ts';
import { readOutputFile } from './sandbox-output-file.ts';
import { withWorkspace } from './workspace.ts';

/**
 * Pages rendered together: a reader who zooms in will turn the page, and opening the file costs more than drawing one
 * page.
 */
export const HI_RES_PAGES_PER_JOB = 4;

/** Renders larger images of a few pages for readers who zoom in, and stores them. */
export const renderHiResPages = defineJob({
  name: 'render-hi-res-pages',
  input: z.object({ id: z.int(), page: z.int() }),
  retries: 1,
  // The sandbox limits the processor time; on a busy machine that may take long.
  timeoutSeconds: 6 * 3_600,
  concurrency: 1,
  run: async (ctx: Context, { id, page }, { signal }) => {
    const rendition = await findRendition(ctx, id);
    if (rendition?.view !== 'pages') return;
    const keys = renditionStorageKeys(rendition);
    const limits = await conversionLimits(ctx);
    const last = Math.min(rendition.pages, page + HI_RES_PAGES_PER_JOB - 1);
    const pages = Array.from({ length: last - page + 1 }, (_, index) => page + index);
    const pdf = rendition.format === 'pdf' ? originalKey(rendition.hash) : keys.pdf;
    await withWorkspace(ctx, pdf, async ({ input, folder }) => {
      const renderedPages: number[] = [];
      await runSandboxedConverter({
        task: 'hi-res',
        input,
        folder,
        signal,
        // No lower priority: a reader waits for the page.
        workload: new Workload(0),
        options: { pages },
        limits: limits.hiRes,
        onEvent: (event) => {
          if (event.type === 'page') renderedPages.push(event.page);
        },
      });
      for (const number of renderedPages.filter((renderedPage) => pages.includes(renderedPage))) {
        const name = `l/${pageName(number)}.webp`;
        await ctx.storage.put(keys.hiResPage(number), await readOutputFile(folder, name));
      }
    });
  },
});
