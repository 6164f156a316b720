import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';

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
export type Facts = {
  /** 0 where there is no document any more. */
  ids: Float64Array;
  scope: Uint8Array;
  users: Float64Array;
  /** Numbers of the values in `exts` and `languages`. */
  ext: Uint16Array;
  language: Uint16Array;
  exts: string[];
  languages: string[];
  price: Float64Array;
  pages: Float64Array;
  size: Float64Array;
  createdAt: Float64Array;
  quality: Float32Array;
  categories: (readonly number[])[];
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
export const readFacts = (ctx: Context, { id, slots }: Segment): Promise<Facts> =>
  ctx.live.get(segmentName(id), async () => {
    const { rows } = await ctx.db.execute<Row>(sql`
      select at.slot, d.document_id as id, d.scope, d.user_id, d.ext, d.language, d.price, d.pages,
        d.size, extract(epoch from d.created_at)::float8 as created, d.quality, d.categories
      from search_slots at join search_documents d on d.document_id = at.document_id
      where at.segment = ${id}`);
    return factsOf(rows, slots);
  });

function factsOf(rows: Row[], slots: number): Facts {
  const facts: Facts = {
    ids: new Float64Array(slots),
    scope: new Uint8Array(slots).fill(GONE),
    users: new Float64Array(slots),
    ext: new Uint16Array(slots),
    language: new Uint16Array(slots),
    exts: [],
    languages: [],
    price: new Float64Array(slots),
    pages: new Float64Array(slots),
    size: new Float64Array(slots),
    createdAt: new Float64Array(slots),
    quality: new Float32Array(slots),
    categories: new Array(slots).fill([]),
  };
  const numbered = (known: string[], value: string): number => {
    const at = known.indexOf(value);
    return at >= 0 ? at : known.push(value) - 1;
  };
  // Documents of one category share one list.
  const shared = new Map<string, readonly number[]>();
  for (const row of rows) {
    const { slot } = row;
    const list = row.categories.join(',');
    if (!shared.has(list)) shared.set(list, row.categories.map(Number));
    facts.ids[slot] = Number(row.id);
    facts.scope[slot] = row.scope;
    facts.users[slot] = Number(row.user_id);
    facts.ext[slot] = numbered(facts.exts, row.ext);
    facts.language[slot] = numbered(facts.languages, row.language);
    facts.price[slot] = row.price;
    facts.pages[slot] = row.pages;
    facts.size[slot] = Number(row.size);
    facts.createdAt[slot] = row.created * 1000;
    facts.quality[slot] = row.quality;
    facts.categories[slot] = shared.get(list) ?? [];
  }
  return facts;
}
