import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { pageName } from '../page-name.ts';
import { findRendition } from '../rendition.ts';
import { derivedKeys, originalKey } from '../rendition-keys.ts';
import { conversionLimits } from './limits.ts';
import { readOutputFile } from './output-file.ts';
import { isOffice } from './run-libreoffice.ts';
import { runSandboxed } from './run-sandboxed.ts';
import { withWorkspace } from './workspace.ts';

/** Whoever looks closely at a page will turn it: opening the file costs more than drawing one. */
export const MAX_CONCURRENT_HI_RES_PAGES = 4;

/** Larger images of a few pages, for those who zoom in; kept like the others. */
export const renderHiResPages = defineJob({
  name: 'draw-sharp-pages',
  input: z.object({ id: z.int(), page: z.int() }),
  retries: 1,
  timeout: 120,
  concurrency: 1,
  run: async (ctx: Context, { id, page }, { signal }) => {
    const content = await findRendition(ctx, id);
    if (content?.view !== 'pages') return;
    const keys = derivedKeys(content);
    const limits = await conversionLimits(ctx);
    const last = Math.min(content.pages, page + MAX_CONCURRENT_HI_RES_PAGES - 1);
    const pages = Array.from({ length: last - page + 1 }, (_, at) => page + at);
    const pdf = isOffice(content.format) ? keys.pdf : originalKey(content.hash);
    await withWorkspace(ctx, pdf, async ({ input, folder }) => {
      const drawn: number[] = [];
      await runSandboxed({
        task: 'sharp',
        input,
        folder,
        signal,
        // A reader looks at the page and waits.
        workload: new Workload(0),
        options: { pages },
        limits: limits.render,
        onEvent: (event) => {
          if (event.type === 'page') drawn.push(event.page);
        },
      });
      for (const number of drawn.filter((each) => pages.includes(each))) {
        const name = `l/${pageName(number)}.webp`;
        await ctx.storage.put(keys.sharpPage(number), await readOutputFile(folder, name));
      }
    });
  },
});
