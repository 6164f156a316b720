import { sql } from 'drizzle-orm';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import {
  emptyPostingLists,
  encodeBlocks,
  forEachPosting,
  iterateBlockKeys,
  LONG_LIST_ROW,
  type PostingLists,
} from './posting-codec.ts';
import { SEGMENTS_KEY, type Segment, segmentKey } from './read-segments.ts';
import { addSegment, writeSegmentBlocks } from './write-segment.ts';

/** Number of segments of similar size that are merged into one. */
const MERGE_FACTOR = 16;
/** Larger segments are not merged again, and no merge exceeds twice this size. */
const MAX_MERGED_SLOTS = 32_768;
/** The key space is merged in this many ranges, to limit memory. */
const KEY_RANGES = 64;
/** Running searches may still read the segments that a merge replaced. */
const RETIRED_SEGMENT_TTL_SECONDS = 30;

const slotsOf = (segments: Segment[]) => segments.reduce((sum, { slots }) => sum + slots, 0);
const sizeTierOfSegment = ({ slots }: Segment) => Math.floor(Math.log(slots) / Math.log(MERGE_FACTOR));

/** Merges small segments until few remain, then deletes retired ones that are no longer read. */
export async function mergeSegments(ctx: Context, isAborted: () => boolean = () => false) {
  while (!isAborted()) {
    // A transaction that changes many documents locks them in no fixed order.
    if (!(await inRetriedTransaction(ctx, mergeOneTier))) break;
    ctx.liveCache.invalidateLocally(SEGMENTS_KEY);
  }
  const { rows } = await ctx.db.execute<{ id: number }>(sql`
    delete from search_segments
    where retired_at < now() - make_interval(secs => ${RETIRED_SEGMENT_TTL_SECONDS})
      and not exists (select 1 from search_slots where segment = search_segments.id)
    returning id`);
  // Not earlier: searches that started before the merge still read the cached metadata of the segment.
  for (const { id } of rows) await notifyInvalidation(ctx.db, segmentKey(id));
}

/** Returns whether a merge was needed. */
async function mergeOneTier(ctx: Context): Promise<boolean> {
  // One merge at a time across all nodes.
  const { rows: locks } = await ctx.db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('search-merge')) as free`,
  );
  if (!locks[0]?.free) return false;
  const { rows: segments } = await ctx.db.execute<Segment>(sql`
    select id, slots, blocks from search_segments where retired_at is null order by id`);
  const small = segments.filter(({ slots }) => slots < MAX_MERGED_SLOTS);
  const tiers = Map.groupBy(small, sizeTierOfSegment);
  const fullTier = [...tiers.values()].find((tier) => tier.length >= MERGE_FACTOR || slotsOf(tier) >= MAX_MERGED_SLOTS);
  if (!fullTier) return false;
  let remainingSlots = 2 * MAX_MERGED_SLOTS;
  const mergedSegments = fullTier.filter(({ slots }) => {
    remainingSlots -= slots;
    return remainingSlots >= 0;
  });
  const ids = mergedSegments.map(({ id }) => id);
  const { rows: documents } = await ctx.db.execute<{ id: string; segment: number; slot: number }>(sql`
    select document_id as id, segment, slot from search_slots
    where segment = any(${toArrayLiteral(ids)}::int[]) order by segment, slot`);
  if (documents.length > 0) await writeMerged(ctx, mergedSegments, documents);
  await ctx.db.execute(sql`
    update search_segments set retired_at = now() where id = any(${toArrayLiteral(ids)}::int[])`);
  await notifyInvalidation(ctx.db, SEGMENTS_KEY);
  return true;
}

type IndexedDocument = { id: string; segment: number; slot: number };

async function writeMerged(ctx: Context, segments: Segment[], documents: IndexedDocument[]): Promise<void> {
  const blocks = segments.reduce((sum, each) => sum + each.blocks, 0);
  const shape = {
    slots: documents.length,
    // Shared words are stored once after the merge, so fewer blocks suffice.
    blocks: Math.max(KEY_RANGES, 2 ** Math.floor(Math.log2(blocks))),
  };
  const target = await addSegment(ctx, shape);
  const newSlots = new Map(segments.map(({ id, slots }) => [id, new Int32Array(slots).fill(-1)]));
  for (const [slot, each] of documents.entries()) {
    const slotMap = newSlots.get(each.segment);
    if (slotMap) slotMap[each.slot] = slot;
  }
  for (let range = 0; range < KEY_RANGES; range += 1) {
    const words = await readPostingsInKeyRange(ctx, segments, range, newSlots);
    await writeSegmentBlocks(ctx, target, encodeBlocks(words, shape));
  }
  // Locks rows in id order, like every other writer. Documents re-indexed meanwhile are in another segment already.
  const movedSlots = JSON.stringify(documents.map((each, slot) => ({ ...each, next: slot })));
  await ctx.db.execute(sql`
    select from search_slots where segment = any(${toArrayLiteral(segments.map(({ id }) => id))}::int[])
    order by document_id for update`);
  await ctx.db.execute(sql`
    update search_slots s set segment = ${target}, slot = moved_slot.next
    from jsonb_to_recordset(${movedSlots}::jsonb) moved_slot (id bigint, segment int, slot int, next int)
    where s.document_id = moved_slot.id and s.segment = moved_slot.segment and s.slot = moved_slot.slot`);
}

/** All words of one key range in key order, with their new slots. */
async function readPostingsInKeyRange(
  ctx: Context,
  segments: Segment[],
  range: number,
  newSlots: Map<number, Int32Array>,
): Promise<[key: number, lists: PostingLists][]> {
  const words = new Map<number, PostingLists>();
  const width = 2 ** 32 / KEY_RANGES;
  const [low, high] = [range * width, (range + 1) * width];
  for (const { id, slots, blocks } of segments) {
    const slotMap = newSlots.get(id);
    if (!slotMap) continue;
    const size = 2 ** 32 / blocks;
    const [first, last] = [Math.floor(low / size), Math.ceil(high / size)];
    const { rows } = await ctx.db.execute<{ part: string; data: Buffer }>(sql`
      select part, data from search_blocks where segment = ${id}
        and ((part >= ${first} and part < ${last})
          or (part >= ${LONG_LIST_ROW + low} and part < ${LONG_LIST_ROW + high}))`);
    // A merge preserves the slot order within and across segments, so the lists stay sorted.
    const add = (key: number, data: Buffer, at: number) => {
      const lists = words.get(key) ?? emptyPostingLists();
      forEachPosting(data, { slots, at }, (slot, field) => {
        const next = slotMap[slot] ?? -1;
        if (next >= 0) lists[field]?.push(next);
      });
      if (lists.some((list) => list.length > 0)) words.set(key, lists);
    };
    for (const { part, data } of rows) {
      const number = Number(part);
      if (number >= LONG_LIST_ROW) add(number - LONG_LIST_ROW, data, 0);
      else
        for (const { key, at } of iterateBlockKeys(data, number * size))
          if (at >= 0 && key >= low && key < high) add(key, data, at);
    }
  }
  return [...words].sort(([a], [b]) => a - b);
}
