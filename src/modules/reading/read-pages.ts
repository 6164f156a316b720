import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import type { RenditionMeta } from '#modules/conversion/rendition-meta.ts';
import { requestPage } from '#modules/conversion/request-page.ts';
import { section } from '#modules/conversion/section.ts';
import { type ViewUrls, viewUrls } from '#modules/conversion/view-urls.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { type OpenContent, openDocument, pagesFrom, readMeta } from './open-document.ts';
import type { ReadingPage, readingApi } from './reading.contract.ts';

export const nothingToRead = {
  view: '',
  pages: 0,
  ready_pages: 0,
  readable: 0,
};

/** Pages as the caller may read them; what lies beyond is not even addressed. */
export async function readPages(ctx: Context, { id, page, size }: ParsedInputOf<typeof readingApi.pages>) {
  const open = await openDocument(ctx, id);
  if (!open) return { ...nothingToRead, page: [] };
  const { content, readable } = open;
  const { view, pages, ready_pages } = content;
  const urls = await viewUrls(ctx);
  const read = view === 'pages' ? pictured(ctx, open, await readMeta(ctx, content), urls) : written(ctx, open, urls);
  const shown = await Promise.all(pagesFrom(page, size, readable).map(read));
  const missing = shown.find(({ pending }) => pending);
  if (missing && content.state === 'readable') await requestPage(ctx, content.id, missing.page);
  return { view, pages, ready_pages, readable, page: shown };
}

const blank = {
  url: '',
  small_url: '',
  width: 0,
  height: 0,
  html: '',
  rows: [],
};

const pictured =
  (ctx: Context, { document, content }: OpenContent, meta: RenditionMeta, urls: ViewUrls) =>
  async (page: number): Promise<ReadingPage> => {
    const isThere = page <= content.ready_pages || (await ctx.storage.stat(derivedKeys(content).page(page))) !== null;
    const [width = content.width, height = content.height] = meta.sizes[page - 1] ?? [];
    if (!isThere) return { ...blank, page, width, height, pending: true };
    return {
      ...blank,
      page,
      width,
      height,
      pending: false,
      url: urls.page(content, { documentId: document.id, page }),
      small_url: urls.smallPage(content, { documentId: document.id, page }),
    };
  };

const written =
  (ctx: Context, { document, content }: OpenContent, urls: ViewUrls) =>
  async (page: number): Promise<ReadingPage> => {
    const stored = await ctx.storage.read(derivedKeys(content).section(page));
    const { html = '', rows = [] } = section.parse(JSON.parse(stored.toString()));
    const place = { documentId: document.id, page };
    const shown = html.replace(
      /src="(i\/[0-9a-f]{32}\.webp)"/g,
      (_, name: string) => `src="${urls.picture(content, place, name).replaceAll('&', '&amp;')}"`,
    );
    return { ...blank, page, pending: false, html: shown, rows };
  };
