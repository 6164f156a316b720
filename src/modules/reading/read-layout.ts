import type { DocumentRestrictions, RenditionMeta } from '#modules/conversion/rendition-meta.ts';
import { findWatermarkMode } from '#modules/watermark/find-watermark-mode.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { loadReadableDocument, readableOutline, readRenditionMeta } from './load-readable-document.ts';
import { unreadableLayout } from './read-pages.ts';
import type { readingApi } from './reading.contract.ts';

const emptyLayout = {
  ...unreadableLayout,
  outline: [],
  sheets: [],
  sizes: [],
  may_copy: false,
  may_print: false,
  watermark: 'off' as const,
};

/** Everything the reader interface needs before it loads pages. */
export async function readLayout(ctx: Context, { id }: ParsedInputOf<typeof readingApi.layout>) {
  const document = await loadReadableDocument(ctx, id);
  if (!document) return emptyLayout;
  const { rendition, readable } = document;
  const { view, pages, ready_pages, width, height } = rendition;
  const meta = await readRenditionMeta(ctx, rendition);
  const sizes = view === 'pages' ? groupEqualPageSizes(meta.sizes, readable) : [];
  // Until all page sizes are known, the size of the first page is the best estimate.
  const estimatedSizes = view === 'pages' && sizes.length === 0 ? [{ page: 1, width, height }] : sizes;
  return {
    view,
    pages,
    ready_pages,
    readable,
    sizes: estimatedSizes,
    outline: readableOutline(meta.outline, { readable, pages }),
    sheets: meta.sheets.filter((sheet) => sheet.page <= readable),
    ...copyAndPrintRights(meta.forbids, ctx.now()),
    watermark: await findWatermarkMode(ctx, document.document),
  };
}

/** Readable pages may be copied and printed unless the document forbids it, or its period of validity has ended. */
function copyAndPrintRights(restrictions: DocumentRestrictions | undefined, now: Date) {
  const { copying = false, printing = false, valid_from, valid_until } = restrictions ?? {};
  const isValid =
    (valid_from === undefined || now >= new Date(valid_from)) &&
    (valid_until === undefined || now <= new Date(valid_until));
  return { may_copy: isValid && !copying, may_print: isValid && !printing };
}

function groupEqualPageSizes(sizes: RenditionMeta['sizes'], readableCount: number) {
  const runs: { page: number; width: number; height: number }[] = [];
  for (const [index, [width, height]] of sizes.slice(0, readableCount).entries()) {
    const last = runs.at(-1);
    if (last?.width !== width || last.height !== height) runs.push({ page: index + 1, width, height });
  }
  return runs;
}
