import type { RenditionMeta } from '#modules/conversion/rendition-meta.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { openDocument, reachable, readMeta } from './open-document.ts';
import { nothingToRead } from './read-pages.ts';
import type { readingApi } from './reading.contract.ts';

const nothing = {
  ...nothingToRead,
  outline: [],
  sheets: [],
  sizes: [],
  may_copy: false,
  may_print: false,
};

/** What a reader must know before the first page: how many there are and how large each is. */
export async function readLayout(ctx: Context, { id }: ParsedInputOf<typeof readingApi.layout>) {
  const open = await openDocument(ctx, id);
  if (!open) return nothing;
  const { content, readable } = open;
  const { view, pages, ready_pages, width, height } = content;
  const meta = await readMeta(ctx, content);
  const sizes = view === 'pages' ? runsOf(meta.sizes, readable) : [];
  // While the sizes of all pages are not known yet, that of the first is the best guess.
  const guess = view === 'pages' && sizes.length === 0 ? [{ page: 1, width, height }] : sizes;
  return {
    view,
    pages,
    ready_pages,
    readable,
    sizes: guess,
    outline: reachable(meta.outline, { readable, pages }),
    sheets: meta.sheets.filter((sheet) => sheet.page <= readable),
    // Whoever may read a page may also copy and print it, unless the document says otherwise.
    may_copy: !meta.forbids?.copying,
    may_print: !meta.forbids?.printing,
  };
}

function runsOf(sizes: RenditionMeta['sizes'], readable: number) {
  const runs: { page: number; width: number; height: number }[] = [];
  for (const [index, [width, height]] of sizes.slice(0, readable).entries()) {
    const last = runs.at(-1);
    if (last?.width !== width || last.height !== height) runs.push({ page: index + 1, width, height });
  }
  return runs;
}
