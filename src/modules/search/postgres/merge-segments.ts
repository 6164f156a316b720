import { sql } from 'drizzle-orm';
import { announceChange } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { eachPosting, emptyLists, type Lists, OWN_ROW, readBlock, writeParts } from './posting-codec.ts';
import { SEGMENTS, type Segment, segmentName } from './segments.ts';
import { addSegment, writeRows } from './write-segment.ts';

/** So many segments of about one size become one. */
const FAN = 16;
/** Larger ones stay as they are, and none becomes larger than twice that. */
const LARGE = 32_768;
/** Words are merged in so many stretches of their numbers. */
const STRETCHES = 64;
/** Searches that began before a merge still read the segments it replaced. */
const KEPT_SECONDS = 30;

const slotsOf = (segments: Segment[]) => segments.reduce((sum, { slots }) => sum + slots, 0);
const tierOf = ({ slots }: Segment) => Math.floor(Math.log(slots) / Math.log(FAN));

/** Merges small segments until there are few, and removes those nobody reads any more. */
export async function mergeSegments(ctx: Context, isOver: () => boolean = () => false) {
  while (!isOver()) {
    // A transaction that changes many documents locks them in no fixed order.
    if (!(await inRetriedTransaction(ctx, mergeSome))) break;
    ctx.live.forget(SEGMENTS);
  }
  const { rows } = await ctx.db.execute<{ id: number }>(sql`
    delete from search_segments
    where retired_at < now() - make_interval(secs => ${KEPT_SECONDS})
      and not exists (select 1 from search_slots where segment = search_segments.id)
    returning id`);
  // Only now: searches that began before the merge still ask for what is known of its documents.
  for (const { id } of rows) await announceChange(ctx.db, segmentName(id));
}

/** Whether there was anything to do. */
async function mergeSome(ctx: Context): Promise<boolean> {
  // One merge at a time on all nodes; whoever comes second has nothing to do.
  const { rows: locks } = await ctx.db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('search-merge')) as free`,
  );
  if (!locks[0]?.free) return false;
  const { rows: segments } = await ctx.db.execute<Segment>(sql`
    select id, slots, blocks from search_segments where retired_at is null order by id`);
  const small = segments.filter(({ slots }) => slots < LARGE);
  const tiers = Map.groupBy(small, tierOf);
  const full = [...tiers.values()].find((tier) => tier.length >= FAN || slotsOf(tier) >= LARGE);
  if (!full) return false;
  let room = 2 * LARGE;
  const chosen = full.filter(({ slots }) => {
    room -= slots;
    return room >= 0;
  });
  const ids = chosen.map(({ id }) => id);
  const { rows: alive } = await ctx.db.execute<{ id: string; segment: number; slot: number }>(sql`
    select document_id as id, segment, slot from search_slots
    where segment = any(${arrayText(ids)}::int[]) order by segment, slot`);
  if (alive.length > 0) await write(ctx, chosen, alive);
  await ctx.db.execute(sql`
    update search_segments set retired_at = now() where id = any(${arrayText(ids)}::int[])`);
  await announceChange(ctx.db, SEGMENTS);
  return true;
}

type Alive = { id: string; segment: number; slot: number };

async function write(ctx: Context, segments: Segment[], alive: Alive[]): Promise<void> {
  const blocks = segments.reduce((sum, each) => sum + each.blocks, 0);
  const shape = {
    slots: alive.length,
    // Words that several have take up less.
    blocks: Math.max(STRETCHES, 2 ** Math.floor(Math.log2(blocks))),
  };
  const target = await addSegment(ctx, shape);
  const moves = new Map(segments.map(({ id, slots }) => [id, new Int32Array(slots).fill(-1)]));
  for (const [slot, each] of alive.entries()) {
    const move = moves.get(each.segment);
    if (move) move[each.slot] = slot;
  }
  for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
    const words = await readStretch(ctx, segments, stretch, moves);
    await writeRows(ctx, target, writeParts(words, shape));
  }
  // Held in the order everybody else does; documents taken up anew meanwhile are elsewhere already.
  const moved = JSON.stringify(alive.map((each, slot) => ({ ...each, next: slot })));
  await ctx.db.execute(sql`
    select from search_slots where segment = any(${arrayText(segments.map(({ id }) => id))}::int[])
    order by document_id for update`);
  await ctx.db.execute(sql`
    update search_slots s set segment = ${target}, slot = moved.next
    from jsonb_to_recordset(${moved}::jsonb) moved (id bigint, segment int, slot int, next int)
    where s.document_id = moved.id and s.segment = moved.segment and s.slot = moved.slot`);
}

/** All words whose numbers lie in one stretch, in order, with their new slots. */
async function readStretch(
  ctx: Context,
  segments: Segment[],
  stretch: number,
  moves: Map<number, Int32Array>,
): Promise<[key: number, lists: Lists][]> {
  const words = new Map<number, Lists>();
  const width = 2 ** 32 / STRETCHES;
  const [low, high] = [stretch * width, (stretch + 1) * width];
  for (const { id, slots, blocks } of segments) {
    const move = moves.get(id);
    if (!move) continue;
    const size = 2 ** 32 / blocks;
    const [first, last] = [Math.floor(low / size), Math.ceil(high / size)];
    const { rows } = await ctx.db.execute<{ part: string; data: Buffer }>(sql`
      select part, data from search_blocks where segment = ${id}
        and ((part >= ${first} and part < ${last})
          or (part >= ${OWN_ROW + low} and part < ${OWN_ROW + high}))`);
    // Slots keep their order in a merge, within a segment and from one to the next: so do the lists.
    const add = (key: number, data: Buffer, at: number) => {
      const lists = words.get(key) ?? emptyLists();
      eachPosting(data, { slots, at }, (slot, place) => {
        const next = move[slot] ?? -1;
        if (next >= 0) lists[place]?.push(next);
      });
      if (lists.some((list) => list.length > 0)) words.set(key, lists);
    };
    for (const { part, data } of rows) {
      const number = Number(part);
      if (number >= OWN_ROW) add(number - OWN_ROW, data, 0);
      else
        for (const { key, at } of readBlock(data, number * size))
          if (at >= 0 && key >= low && key < high) add(key, data, at);
    }
  }
  return [...words].sort(([one], [other]) => one - other);
}
