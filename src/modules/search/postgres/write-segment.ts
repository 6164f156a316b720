import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import type { Terms } from '../text/term-keys.ts';
import { blocksFor, emptyLists, LISTS, type Lists, type Part, writeParts } from './posting-codec.ts';

/** Rows are sent in statements of about this size. */
const STATEMENT_BYTES = 1_000_000;

/** Slots of a segment, at most. */
const MAX_SLOTS = 2 ** 17;
const PLACE_RANGE = 2 ** LISTS;
const WORD_RANGE = MAX_SLOTS * PLACE_RANGE;

/** Which word stands where, as one number: such numbers are sorted fastest, and come in order. */
class Postings {
  #packed = new Float64Array(4_096);
  #length = 0;
  add(key: number, slot: number, places: number): void {
    if (this.#length === this.#packed.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#packed);
      this.#packed = larger;
    }
    this.#packed[this.#length++] = key * WORD_RANGE + slot * PLACE_RANGE + places;
  }
  get size(): number {
    return this.#length;
  }
  /** Words with the slots of the documents that have them. */
  *words(): Generator<[key: number, lists: Lists]> {
    const sorted = this.#packed.subarray(0, this.#length).sort();
    let word = -1;
    let lists: Lists = [];
    for (const each of sorted) {
      const key = Math.floor(each / WORD_RANGE);
      const rest = each - key * WORD_RANGE;
      if (key !== word) {
        if (word >= 0) yield [word, lists];
        word = key;
        lists = emptyLists();
      }
      const slot = Math.floor(rest / PLACE_RANGE);
      const places = rest - slot * PLACE_RANGE;
      for (let place = 0; place < LISTS; place += 1) if (places & (1 << place)) lists[place]?.push(slot);
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

/** Writes rows of a segment, many in one statement. */
export async function writeRows(ctx: Context, segment: number, parts: Iterable<Part>) {
  let waiting: Part[] = [];
  let bytes = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    const numbers = arrayText(waiting.map(({ part }) => part));
    const data = `{${waiting.map(({ data }) => `"\\\\x${data.toString('hex')}"`).join(',')}}`;
    await ctx.db.execute(sql`
      insert into search_blocks (segment, part, data)
      select ${segment}::int, part, data
      from unnest(${numbers}::bigint[], ${data}::bytea[]) made (part, data)`);
    waiting = [];
    bytes = 0;
  };
  for (const part of parts) {
    waiting.push(part);
    bytes += part.data.length;
    if (bytes > STATEMENT_BYTES) await flush();
  }
  await flush();
}

/** A posting takes about so many bytes. */
const POSTING_BYTES = 2.5;

/** A segment of these documents, the first in slot 0. Gives its number. */
export async function writeSegment(ctx: Context, documents: readonly Terms[]): Promise<number> {
  const postings = new Postings();
  for (const [slot, terms] of documents.entries()) for (const [key, places] of terms) postings.add(key, slot, places);
  const shape = { slots: documents.length, blocks: blocksFor(postings.size * POSTING_BYTES) };
  const segment = await addSegment(ctx, shape);
  await writeRows(ctx, segment, writeParts(postings.words(), shape));
  return segment;
}
