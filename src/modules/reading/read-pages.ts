import type { PageImageUrls } from '#modules/conversion/page-image-urls.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import type { RenditionMeta } from '#modules/conversion/rendition-meta.ts';
import { requestPageRender } from '#modules/conversion/request-page-render.ts';
import { section } from '#modules/conversion/section.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { skipIfOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import {
  loadReadableDocument,
  type OpenDocument,
  readablePageNumbers,
  readRenditionMeta,
} from './load-readable-document.ts';
import { createReaderImageUrls } from './reader-image-urls.ts';
import type { ReadingPage, readingApi } from './reading.contract.ts';

export const unreadableLayout = {
  view: '',
  pages: 0,
  ready_pages: 0,
  readable: 0,
};

/** Pages beyond the caller's limit get no URL. */
export async function readPages(ctx: Context, { id, page, size }: ParsedInputOf<typeof readingApi.pages>) {
  const document = await loadReadableDocument(ctx, id);
  if (!document) return { ...unreadableLayout, page: [] };
  const { rendition, readable } = document;
  const { view, pages, ready_pages } = rendition;
  const urls = await createReaderImageUrls(ctx, document);
  const readPage =
    view === 'pages'
      ? createImagePageReader(ctx, document, await readRenditionMeta(ctx, rendition), urls)
      : createSectionPageReader(ctx, document, urls);
  const requestedPages = await Promise.all(readablePageNumbers(page, size, readable).map(readPage));
  const pendingPage = requestedPages.find(({ pending }) => pending);
  if (pendingPage && rendition.state === 'readable')
    await skipIfOutOfSpace(requestPageRender(ctx, rendition.id, pendingPage.page));
  return { view, pages, ready_pages, readable, page: requestedPages };
}

const emptyPage = {
  url: '',
  small_url: '',
  width: 0,
  height: 0,
  html: '',
  rows: [],
};

const createImagePageReader =
  (ctx: Context, { document, rendition }: OpenDocument, meta: RenditionMeta, urls: PageImageUrls) =>
  async (page: number): Promise<ReadingPage> => {
    const isRendered =
      page <= rendition.ready_pages || (await ctx.storage.stat(renditionStorageKeys(rendition).page(page))) !== null;
    const [width = rendition.width, height = rendition.height] = meta.sizes[page - 1] ?? [];
    if (!isRendered) return { ...emptyPage, page, width, height, pending: true };
    return {
      ...emptyPage,
      page,
      width,
      height,
      pending: false,
      url: urls.page(rendition, { documentId: document.id, page }),
      small_url: urls.smallPage(rendition, { documentId: document.id, page }),
    };
  };

type PagePicture = NonNullable<ReadingPage['pictures']>[number];

const createSectionPageReader =
  (ctx: Context, { document, rendition }: OpenDocument, urls: PageImageUrls) =>
  async (page: number): Promise<ReadingPage> => {
    const file = await ctx.storage.read(renditionStorageKeys(rendition).section(page));
    const { html = '', rows = [], text: _, pictures, ...table } = section.parse(JSON.parse(file.toString()));
    const location = { documentId: document.id, page };
    const htmlWithUrls = html.replace(
      /src="(i\/[0-9a-f]{32}\.webp)"/g,
      (_, name: string) => `src="${urls.picture(rendition, location, name).replaceAll('&', '&amp;')}"`,
    );
    return {
      ...emptyPage,
      page,
      pending: false,
      html: htmlWithUrls,
      rows,
      ...table,
      ...(pictures && {
        pictures: pictures.map(([row, column, height, width, name, label]): PagePicture => {
          return [row, column, height, width, urls.picture(rendition, location, name), label];
        }),
      }),
    };
  };
