import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { read, utils } from '@e965/xlsx';
import * as z from 'zod/mini';
import { projectRoot } from '#platform/server/config.ts';
import { coverDesigns, paletteNames } from './cover-design.ts';
import type { DemoCell, DemoContent, DemoDocument, DemoSheet } from './demo-document.ts';

export const demoFolder = path.join(projectRoot, 'demo');

const commonFields = {
  title: z.string(),
  extension: z.string(),
  category: z.string(),
  owner: z.coerce.number(),
  price: z.coerce.number(),
  preview: z._default(z.coerce.number(), 0),
  recommended: z._default(z.stringbool(), false),
  days_ago: z.coerce.number(),
  keywords: z.string(),
  description: z.string(),
};
const coverFields = {
  cover_title: z.string(),
  cover_subtitle: z.string(),
  cover_author: z.string(),
  cover_design: z.enum(coverDesigns),
  cover_palette: z.enum(paletteNames),
};
const frontMatter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('article'),
    ...commonFields,
    ...coverFields,
    layout: z._default(z.enum(['prose', 'poems']), 'prose'),
  }),
  z.strictObject({ kind: z.literal('deck'), ...commonFields, ...coverFields }),
  z.strictObject({ kind: z.literal('book'), ...commonFields, ...coverFields }),
  z.strictObject({ kind: z.literal('workbook'), ...commonFields }),
  z.strictObject({
    kind: z.literal('text'),
    ...commonFields,
    encoding: z.enum(['utf-8', 'utf-16le', 'gb18030', 'big5']),
  }),
]);
type FrontMatter = z.infer<typeof frontMatter>;

export const readDemoDocuments = (): DemoDocument[] =>
  globSync(path.join(demoFolder, 'documents/*.{md,csv,txt}')).sort().map(readDocument);

function readDocument(file: string): DemoDocument {
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(readFileSync(file, 'utf8')) ?? [];
  const fields = Object.fromEntries(
    head.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const result = frontMatter.safeParse(fields);
  if (!result.success) throw new Error(`${file}: ${z.prettifyError(result.error)}`);
  const { title, extension, owner, price, preview, keywords, description } = result.data;
  return {
    title,
    extension,
    category: result.data.category.split(' / '),
    owner,
    price,
    preview,
    isRecommended: result.data.recommended,
    daysAgo: result.data.days_ago,
    keywords,
    description,
    content: parseDemoContent(result.data, body),
  };
}

function parseDemoContent(fields: FrontMatter, body: string): DemoContent {
  if (fields.kind === 'workbook') return { kind: fields.kind, sheets: parseSheets(body) };
  if (fields.kind === 'text') return { kind: fields.kind, encoding: fields.encoding, text: body.trimEnd() };
  const cover = {
    titleLines: fields.cover_title.split(' / '),
    subtitle: fields.cover_subtitle,
    author: fields.cover_author,
    design: fields.cover_design,
    palette: fields.cover_palette,
  };
  return fields.kind === 'article'
    ? { kind: fields.kind, cover, body, layout: fields.layout }
    : { kind: fields.kind, cover, body };
}

/** A line `[name]` starts a sheet; CSV rows follow. */
const parseSheets = (body: string): DemoSheet[] =>
  [...body.matchAll(/^\[(.+)\]\n((?:(?!\[).+\n?)*)/gm)].map(([, name = '', csv = '']) => {
    const { Sheets, SheetNames } = read(csv, { type: 'string', raw: true });
    const sheet = Sheets[SheetNames[0] ?? ''];
    if (!sheet) throw new Error(`the demo sheet ${name} is empty`);
    const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '' });
    return { name, rows: rows.map((row) => row.map(parseCell)) };
  });

const parseCell = (cell: string): DemoCell => (/^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell);
