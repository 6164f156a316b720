import { json } from 'node:stream/consumers';
import { and, eq } from 'drizzle-orm';
import { contents } from '#modules/content/content.table.ts';
import { derivedKeys } from '#modules/content/content-keys.ts';
import { type ContentMeta, contentMeta } from '#modules/content/content-meta.ts';
import { emptyMeta } from '#modules/content/empty-meta.ts';
import { wishPage } from '#modules/content/wish-page.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { type ViewUrls, viewUrls } from '#modules/document/view-urls.ts';
import { canRead, visibleTo } from '#modules/document/visible-to.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { readablePages } from './preview.ts';
import type { ReadingPage, readingApi } from './reading.contract.ts';

type Content = typeof contents.$inferSelect;

const nothing = {
  view: '',
  pages: 0,
  ready_pages: 0,
  readable: 0,
  outline: [],
  sheets: [],
  page: [],
};

/** Pages as the caller may read them; what lies beyond is not even addressed. */
export async function readPages(
  ctx: Context,
  { id, page, size }: ParsedInputOf<typeof readingApi.pages>,
) {
  const [found] = await ctx.db
    .select({ document: documents, content: contents })
    .from(documents)
    .leftJoin(contents, eq(contents.id, documents.content_id))
    .where(and(eq(documents.id, id), visibleTo(ctx)));
  if (!found) throw documentErrors.notFound();
  const { document, content } = found;
  if (!content || content.ready_pages === 0 || !canRead(ctx, document)) return nothing;
  const { view, pages, ready_pages } = content;
  const readable = await readablePages(ctx, document, pages);
  const last = Math.min(page + size - 1, readable);
  const wanted = Array.from({ length: Math.max(0, last - page + 1) }, (_, index) => page + index);
  const meta = await readMeta(ctx, content);
  const urls = await viewUrls(ctx);
  const read = view === 'pages' ? pictured(ctx, content, meta, urls) : written(ctx, content, urls);
  const shown = await Promise.all(wanted.map(read));
  const missing = shown.find(({ pending }) => pending);
  if (missing && content.state === 'readable') await wishPage(ctx, content.id, missing.page);
  const { outline, sheets } = meta;
  const reachable = outline.filter((entry) => entry.page <= readable);
  return { view, pages, ready_pages, readable, outline: reachable, sheets, page: shown };
}

async function readMeta(ctx: Context, content: Content): Promise<ContentMeta> {
  try {
    return contentMeta.parse(await json((await ctx.storage.get(derivedKeys(content).meta)).stream));
  } catch (error) {
    if (error instanceof StorageNotFound) return emptyMeta();
    throw error;
  }
}

const blank = {
  url: '',
  small_url: '',
  width: 0,
  height: 0,
  html: '',
  rows: [],
  from_row: 0,
  sheet: 0,
};

const pictured =
  (ctx: Context, content: Content, meta: ContentMeta, urls: ViewUrls) =>
  async (page: number): Promise<ReadingPage> => {
    const isThere =
      page <= content.ready_pages ||
      (await ctx.storage.stat(derivedKeys(content).page(page))) !== null;
    const [width = content.width, height = content.height] = meta.sizes[page - 1] ?? [];
    if (!isThere) return { ...blank, page, width, height, pending: true };
    return {
      ...{ ...blank, page, width, height, pending: false },
      url: urls.page(content, page),
      small_url: urls.smallPage(content, page),
    };
  };

type Section = { html?: string; rows?: string[][]; from?: number; sheet?: number };

const written =
  (ctx: Context, content: Content, urls: ViewUrls) =>
  async (page: number): Promise<ReadingPage> => {
    const stored = await ctx.storage.get(derivedKeys(content).section(page));
    const { html = '', rows = [], from = 0, sheet = 0 } = (await json(stored.stream)) as Section;
    const shown = html.replace(
      /src="(i\/[0-9a-f]{32}\.webp)"/g,
      (_, name: string) => `src="${urls.picture(content, name).replaceAll('&', '&amp;')}"`,
    );
    return { ...blank, page, pending: false, html: shown, rows, from_row: from, sheet };
  };
