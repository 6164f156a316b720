import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import type { Terms } from '../text/term-keys.ts';
import {
  chooseBlockCount,
  emptyPostingLists,
  encodeBlocks,
  FIELD_COUNT,
  type PostingLists,
  type PostingPart,
} from './posting-codec.ts';

const MAX_STATEMENT_BYTES = 1_000_000;

const MAX_SEGMENT_SLOTS = 2 ** 17;
const FIELD_BITS_RANGE = 2 ** FIELD_COUNT;
const KEY_STEP = MAX_SEGMENT_SLOTS * FIELD_BITS_RANGE;

/** Packs key, slot and field bits into one number each, because a Float64Array sorts fastest. */
class Postings {
  #packedPostings = new Float64Array(4_096);
  #length = 0;
  add(key: number, slot: number, fields: number): void {
    if (this.#length === this.#packedPostings.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#packedPostings);
      this.#packedPostings = larger;
    }
    this.#packedPostings[this.#length++] = key * KEY_STEP + slot * FIELD_BITS_RANGE + fields;
  }
  get size(): number {
    return this.#length;
  }
  *words(): Generator<[key: number, lists: PostingLists]> {
    const sortedPostings = this.#packedPostings.subarray(0, this.#length).sort();
    let word = -1;
    let lists: PostingLists = [];
    for (const each of sortedPostings) {
      const key = Math.floor(each / KEY_STEP);
      const rest = each - key * KEY_STEP;
      if (key !== word) {
        if (word >= 0) yield [word, lists];
        word = key;
        lists = emptyPostingLists();
      }
      const slot = Math.floor(rest / FIELD_BITS_RANGE);
      const fields = rest - slot * FIELD_BITS_RANGE;
      for (let field = 0; field < FIELD_COUNT; field += 1) if (fields & (1 << field)) lists[field]?.push(slot);
    }
    if (word >= 0) yield [word, lists];
  }
}

export async function addSegment(ctx: Context, { slots, blocks }: { slots: number; blocks: number }): Promise<number> {
  const { rows } = await ctx.db.execute<{ id: number }>(sql`
    insert into search_segments (slots, blocks) values (${slots}, ${blocks}) returning id`);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the insert returned no row');
  return id;
}

export async function writeSegmentBlocks(ctx: Context, segment: number, parts: Iterable<PostingPart>) {
  let pendingParts: PostingPart[] = [];
  let bytes = 0;
  const flush = async () => {
    if (pendingParts.length === 0) return;
    const numbers = toArrayLiteral(pendingParts.map(({ part }) => part));
    const data = `{${pendingParts.map(({ data }) => `"\\\\x${data.toString('hex')}"`).join(',')}}`;
    await ctx.db.execute(sql`
      insert into search_blocks (segment, part, data)
      select ${segment}::int, part, data
      from unnest(${numbers}::bigint[], ${data}::bytea[]) block (part, data)`);
    pendingParts = [];
    bytes = 0;
  };
  for (const part of parts) {
    pendingParts.push(part);
    bytes += part.data.length;
    if (bytes > MAX_STATEMENT_BYTES) await flush();
  }
  await flush();
}

/** Average size of an encoded posting. */
const POSTING_BYTES = 2.5;

/** Writes a segment of these documents, the first in slot 0, and returns its id. */
export async function writeSegment(ctx: Context, documents: readonly Terms[]): Promise<number> {
  const postings = new Postings();
  for (const [slot, terms] of documents.entries()) for (const [key, fields] of terms) postings.add(key, slot, fields);
  const shape = { slots: documents.length, blocks: chooseBlockCount(postings.size * POSTING_BYTES) };
  const segment = await addSegment(ctx, shape);
  await writeSegmentBlocks(ctx, segment, encodeBlocks(postings.words(), shape));
  return segment;
}
