import type { Context } from '#platform/server/context.ts';
import { dequeuePageRenderRequests } from '../page-render-requests.ts';
import { type Lease, LeaseLost } from '../rendition.ts';
import type { ConversionTask } from './attempt.ts';
import type { RenderProgress } from './render-progress.ts';

const COMMAND_INTERVAL_MS = 1_000;

/** While the renderer runs, forwards pages that readers requested, writes progress, and tells it to stop. */
export function createRendererCommandSender(
  ctx: Context,
  lease: Lease,
  task: ConversionTask,
  progress: RenderProgress,
) {
  let isStopSent = false;
  let watch: NodeJS.Timeout | undefined;
  return {
    start(send: (line: string) => void, pdfReady: Promise<unknown> | undefined) {
      // If LibreOffice fails, the signal ends the renderer.
      pdfReady?.then(
        () => send(JSON.stringify({ inputReady: true })),
        () => {},
      );
      const checkRequests = async () => {
        const pages = await dequeuePageRenderRequests(ctx, lease.rendition.id);
        if (pages.length > 0) send(JSON.stringify({ requestedPages: pages }));
        await progress.write();
        if (!task.isStopRequested || isStopSent) return;
        isStopSent = true;
        send(JSON.stringify({ stop: true }));
      };
      watch = setInterval(() => {
        checkRequests().catch((error: unknown) => {
          // Another worker has the lease; this attempt is being aborted.
          if (!(error instanceof LeaseLost)) ctx.log.warn({ err: error }, 'could not write conversion progress');
        });
      }, COMMAND_INTERVAL_MS);
    },
    stop: () => clearInterval(watch),
  };
}
