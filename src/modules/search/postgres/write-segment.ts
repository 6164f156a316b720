import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { Terms } from '../term-keys.ts';
import { blocksFor, LISTS, type Lists, type Part, writeParts } from './posting-codec.ts';

/** Rows are sent in statements of about this size. */
const STATEMENT_BYTES = 1_000_000;

/** Words with the slots of the documents that have them, in order. */
export function invert(documents: readonly Terms[]): [number, Lists][] {
  const words = new Map<number, Lists>();
  for (const [slot, terms] of documents.entries())
    for (const [key, places] of terms) {
      let lists = words.get(key);
      if (!lists) {
        lists = Array.from({ length: LISTS }, () => []);
        words.set(key, lists);
      }
      for (let place = 0; place < LISTS; place += 1)
        if (places & (1 << place)) lists[place]?.push(slot);
    }
  return [...words].sort(([one], [other]) => one - other);
}

export async function addSegment(
  ctx: Context,
  { slots, blocks }: { slots: number; blocks: number },
): Promise<number> {
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
    const numbers = `{${waiting.map(({ part }) => part).join(',')}}`;
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

/** A segment of these documents, the first in slot 0. Gives its number. */
export async function writeSegment(ctx: Context, documents: readonly Terms[]): Promise<number> {
  const words = invert(documents);
  const bytes = words.reduce(
    (sum, [, lists]) => sum + 5 + lists.reduce((all, list) => all + list.length * 1.5, 0),
    0,
  );
  const shape = { slots: documents.length, blocks: blocksFor(bytes) };
  const segment = await addSegment(ctx, shape);
  await writeRows(ctx, segment, writeParts(words, shape));
  return segment;
}
