import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { section } from '#modules/conversion/section.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { paragraphsOf } from './line-paragraphs.ts';
import { type OpenContent, type OpenRendition, openDocument, pagesFrom, reachable, readMeta } from './open-document.ts';
import type { PlainPage, plainTextApi } from './plain-text.contract.ts';
import { wordsOf } from './read-words.ts';

/** Pages at once; those of a table have up to a hundred rows each. */
const sizes: Record<string, number> = { pages: 20, flow: 20, sheet: 4 };
const NOTHING = { view: '', pages: 0, readable: 0, parts: 0, size: 0, pending: true };

/** A document as plain text, no page further than the caller may read. */
export async function readPlainText(ctx: Context, { id, part }: ParsedInputOf<typeof plainTextApi.text>) {
  const open = await openDocument(ctx, id);
  if (!open) return { ...NOTHING, outline: [], page: [] };
  const { content, readable } = open;
  const { view, pages } = content;
  const meta = await readMeta(ctx, content);
  const size = sizes[view] ?? 20;
  const parts = Math.ceil(readable / size);
  const wanted = pagesFrom((part - 1) * size + 1, size, readable);
  const page =
    view === 'pages'
      ? await fromWords(ctx, open, wanted)
      : await Promise.all(wanted.map((number) => fromSection(ctx, content, number)));
  const pending = page.length < wanted.length && content.state !== 'ready';
  const outline = reachable(meta.outline, { readable, pages });
  return { view, pages, readable, parts, size, pending, outline, page };
}

async function fromWords(ctx: Context, open: OpenContent, wanted: number[]): Promise<PlainPage[]> {
  const [first] = wanted;
  if (first === undefined) return [];
  const words = await wordsOf(ctx, open, { page: first, size: wanted.length });
  return words.map(({ page: number, lines }) => ({
    page: number,
    paragraphs: paragraphsOf(lines),
    rows: [],
  }));
}

async function fromSection(ctx: Context, content: OpenRendition, page: number): Promise<PlainPage> {
  const stored = await ctx.storage.read(derivedKeys(content).section(page));
  const { text = '', rows = [] } = section.parse(JSON.parse(stored.toString()));
  return { page, paragraphs: text.split('\n').filter((line) => line.trim() !== ''), rows };
}
