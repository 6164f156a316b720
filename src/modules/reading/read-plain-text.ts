import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { section } from '#modules/conversion/section.ts';
import { findWatermarkMode } from '#modules/watermark/find-watermark-mode.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { joinLinesIntoParagraphs } from './join-lines-into-paragraphs.ts';
import {
  loadReadableDocument,
  type OpenDocument,
  type OpenRendition,
  readableOutline,
  readablePageNumbers,
  readRenditionMeta,
} from './load-readable-document.ts';
import type { PlainPage, plainTextApi } from './plain-text.contract.ts';
import { loadPageWords } from './read-words.ts';

/** Pages per part. A page of a table has up to a hundred rows. */
const pagesPerPart: Record<string, number> = { pages: 20, flow: 20, sheet: 4 };
const EMPTY_RESULT = { view: '', pages: 0, readable: 0, parts: 0, size: 0, pending: true };

/** Contains only pages that the caller may read. */
export async function readPlainText(ctx: Context, { id, part }: ParsedInputOf<typeof plainTextApi.text>) {
  const document = await loadReadableDocument(ctx, id);
  if (!document) return { ...EMPTY_RESULT, outline: [], watermark: 'off' as const, page: [] };
  const { rendition, readable } = document;
  const { view, pages } = rendition;
  const meta = await readRenditionMeta(ctx, rendition);
  const size = pagesPerPart[view] ?? 20;
  const parts = Math.ceil(readable / size);
  const pageNumbers = readablePageNumbers((part - 1) * size + 1, size, readable);
  const page =
    view === 'pages'
      ? await plainPagesFromWords(ctx, document, pageNumbers)
      : await Promise.all(pageNumbers.map((number) => plainPageFromSection(ctx, rendition, number)));
  const isPending = page.length < pageNumbers.length && rendition.state !== 'ready';
  const outline = readableOutline(meta.outline, { readable, pages });
  const watermark = await findWatermarkMode(ctx, document.document);
  return { view, pages, readable, parts, size, pending: isPending, outline, watermark, page };
}

async function plainPagesFromWords(ctx: Context, document: OpenDocument, pageNumbers: number[]): Promise<PlainPage[]> {
  const [first] = pageNumbers;
  if (first === undefined) return [];
  const words = await loadPageWords(ctx, document, { page: first, size: pageNumbers.length });
  const paragraphs = joinLinesIntoParagraphs(words.map(({ lines }) => lines));
  return words.map(({ page, recognized }, index) => ({
    page,
    paragraphs: paragraphs[index] ?? [],
    recognized,
    rows: [],
  }));
}

async function plainPageFromSection(ctx: Context, rendition: OpenRendition, page: number): Promise<PlainPage> {
  const file = await ctx.storage.read(renditionStorageKeys(rendition).section(page));
  const { text = '', rows = [] } = section.parse(JSON.parse(file.toString()));
  const paragraphs = text.split('\n').filter((line) => line.trim() !== '');
  return { page, paragraphs, recognized: false, rows };
}
