import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { searchPageRanges } from '../search.contract.ts';

/** Cache key and notification channel of the segment list. */
export const SEGMENTS_KEY = 'search-segments';
/** Cache key and notification channel of the metadata of one segment. */
export const segmentKey = (id: number) => `search-segment:${id}`;

export type Segment = { id: number; slots: number; blocks: number };

export const readSegments = (ctx: Context): Promise<Segment[]> =>
  ctx.liveCache.get(SEGMENTS_KEY, async () => {
    const { rows } = await ctx.db.execute<Segment>(sql`
      select id, slots, blocks from search_segments where retired_at is null order by id`);
    return rows;
  });

/** Metadata of a segment's documents, by slot. */
export type DocumentMetadata = {
  /** 0 if the slot is empty. */
  ids: Float64Array;
  scope: Uint8Array;
  users: Float64Array;
  /** Facet values as indexes into `values`. */
  ext: Uint16Array;
  language: Uint16Array;
  fee: Uint8Array;
  ranges: Uint8Array;
  categories: Uint16Array;
  values: {
    exts: string[];
    languages: string[];
    /** The page ranges that contain a document's page count. */
    ranges: string[][];
    categories: string[][];
  };
  pages: Float64Array;
  size: Float64Array;
  createdAt: Float64Array;
  quality: Float32Array;
  /** Group of documents with nearly the same file, 0 for none; null if no document of the segment has one. */
  twins: Float64Array | null;
};

const SCOPE_NONE = 3;

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
  created_seconds: number;
  quality: number;
  categories: string[];
  twin_group: string;
};

/** Cached until a change is announced. */
export const readSegmentMetadata = (ctx: Context, { id, slots }: Segment): Promise<DocumentMetadata> =>
  ctx.liveCache.get(segmentKey(id), async () => {
    const { rows } = await ctx.db.execute<Row>(sql`
      select at.slot, d.document_id as id, d.scope, d.user_id, d.ext, d.language, d.price, d.pages,
        d.size, extract(epoch from d.created_at)::float8 as created_seconds, d.quality, d.categories, d.twin_group
      from search_slots at join search_documents d on d.document_id = at.document_id
      where at.segment = ${id}`);
    return buildSegmentMetadata(rows, slots);
  });

/** Gives equal values the same index in `values`. */
function createValueNumbering<T>(values: T[]): (value: T) => number {
  const indexes = new Map<string, number>();
  return (value) => {
    const name = String(value);
    const at = indexes.get(name) ?? values.push(value) - 1;
    indexes.set(name, at);
    return at;
  };
}

const pageRangeNames = (pages: number): string[] =>
  Object.entries(searchPageRanges)
    .filter(([, { from, to }]) => pages >= from && (to === 0 || pages <= to))
    .map(([name]) => name);

export const FEES = ['free', 'charge'] as const;

function buildSegmentMetadata(rows: Row[], slots: number): DocumentMetadata {
  const metadata: DocumentMetadata = {
    ids: new Float64Array(slots),
    scope: new Uint8Array(slots).fill(SCOPE_NONE),
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
    twins: rows.some(({ twin_group }) => twin_group !== '0') ? new Float64Array(slots) : null,
  };
  const ext = createValueNumbering(metadata.values.exts);
  const language = createValueNumbering(metadata.values.languages);
  const ranges = createValueNumbering(metadata.values.ranges);
  const categories = createValueNumbering(metadata.values.categories);
  for (const row of rows) {
    const { slot } = row;
    metadata.ids[slot] = Number(row.id);
    metadata.scope[slot] = row.scope;
    metadata.users[slot] = Number(row.user_id);
    metadata.ext[slot] = ext(row.ext);
    metadata.language[slot] = language(row.language);
    metadata.fee[slot] = row.price === 0 ? 0 : 1;
    metadata.ranges[slot] = ranges(pageRangeNames(row.pages));
    metadata.categories[slot] = categories(row.categories);
    metadata.pages[slot] = row.pages;
    metadata.size[slot] = Number(row.size);
    metadata.createdAt[slot] = row.created_seconds * 1000;
    metadata.quality[slot] = row.quality;
    if (metadata.twins) metadata.twins[slot] = Number(row.twin_group);
  }
  return metadata;
}
