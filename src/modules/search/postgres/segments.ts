import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { searchPageRanges } from '../search.contract.ts';

/** Under this name it is announced that there are other segments. */
export const SEGMENTS = 'search-segments';
/** Under this name, that something is known better of the documents of one. */
export const segmentName = (id: number) => `search-segment:${id}`;

export type Segment = { id: number; slots: number; blocks: number };

export const readSegments = (ctx: Context): Promise<Segment[]> =>
  ctx.live.get(SEGMENTS, async () => {
    const { rows } = await ctx.db.execute<Segment>(sql`
      select id, slots, blocks from search_segments where retired_at is null order by id`);
    return rows;
  });

/** What is known of the documents of a segment, by slot. */
export type DocumentMetadata = {
  /** 0 where there is no document any more. */
  ids: Float64Array;
  scope: Uint8Array;
  users: Float64Array;
  /** What facets count, as numbers of the values below. */
  ext: Uint16Array;
  language: Uint16Array;
  fee: Uint8Array;
  ranges: Uint8Array;
  categories: Uint16Array;
  values: {
    exts: string[];
    languages: string[];
    /** The ranges of page numbers a document is in. */
    ranges: string[][];
    /** The categories of a document. */
    categories: string[][];
  };
  pages: Float64Array;
  size: Float64Array;
  createdAt: Float64Array;
  quality: Float32Array;
};

const GONE = 3;

type Row = {
  slot: number;
  id: string;
  scope: number;
  user_id: string;
  ext: string;
  language: string;
  price: number;
  pages: number;
  size: string;
  created: number;
  quality: number;
  categories: string[];
};

/** Kept until a change is announced. */
export const readMetadata = (ctx: Context, { id, slots }: Segment): Promise<DocumentMetadata> =>
  ctx.live.get(segmentName(id), async () => {
    const { rows } = await ctx.db.execute<Row>(sql`
      select at.slot, d.document_id as id, d.scope, d.user_id, d.ext, d.language, d.price, d.pages,
        d.size, extract(epoch from d.created_at)::float8 as created, d.quality, d.categories
      from search_slots at join search_documents d on d.document_id = at.document_id
      where at.segment = ${id}`);
    return factsOf(rows, slots);
  });

/** Numbers things that are alike alike. */
function numbered<T>(values: T[]): (value: T) => number {
  const known = new Map<string, number>();
  return (value) => {
    const name = String(value);
    const at = known.get(name) ?? values.push(value) - 1;
    known.set(name, at);
    return at;
  };
}

const rangesOf = (pages: number): string[] =>
  Object.entries(searchPageRanges)
    .filter(([, { from, to }]) => pages >= from && (to === 0 || pages <= to))
    .map(([name]) => name);

export const FEES = ['free', 'charge'] as const;

function factsOf(rows: Row[], slots: number): DocumentMetadata {
  const facts: DocumentMetadata = {
    ids: new Float64Array(slots),
    scope: new Uint8Array(slots).fill(GONE),
    users: new Float64Array(slots),
    ext: new Uint16Array(slots),
    language: new Uint16Array(slots),
    fee: new Uint8Array(slots),
    ranges: new Uint8Array(slots),
    categories: new Uint16Array(slots),
    values: { exts: [], languages: [], ranges: [], categories: [] },
    pages: new Float64Array(slots),
    size: new Float64Array(slots),
    createdAt: new Float64Array(slots),
    quality: new Float32Array(slots),
  };
  const ext = numbered(facts.values.exts);
  const language = numbered(facts.values.languages);
  const ranges = numbered(facts.values.ranges);
  const categories = numbered(facts.values.categories);
  for (const row of rows) {
    const { slot } = row;
    facts.ids[slot] = Number(row.id);
    facts.scope[slot] = row.scope;
    facts.users[slot] = Number(row.user_id);
    facts.ext[slot] = ext(row.ext);
    facts.language[slot] = language(row.language);
    facts.fee[slot] = row.price === 0 ? 0 : 1;
    facts.ranges[slot] = ranges(rangesOf(row.pages));
    facts.categories[slot] = categories(row.categories);
    facts.pages[slot] = row.pages;
    facts.size[slot] = Number(row.size);
    facts.createdAt[slot] = row.created * 1000;
    facts.quality[slot] = row.quality;
  }
  return facts;
}
