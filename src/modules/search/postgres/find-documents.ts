import { setImmediate as breathe } from 'node:timers/promises';
import type { Context } from '#platform/server/context.ts';
import { FIELD_WEIGHTS, FRESHNESS_WEIGHT, QUALITY_WEIGHT } from '../query/field-weights.ts';
import type { Query } from '../query/parse-query.ts';
import { rankTitles, TITLES } from '../query/rank-titles.ts';
import type { SearchSort } from '../search.contract.ts';
import type { Candidate, FindRequest, FindResult } from '../search-engine.ts';
import { BestCandidates } from './best-candidates.ts';
import { isFindable, MatchCounter } from './count-matches.ts';
import { levelsOf, readRows } from './match-words.ts';
import { type DocumentMetadata, readMetadata, readSegments, type Segment } from './segments.ts';
import { isDatabaseSort, sortInDatabase } from './sort-in-database.ts';

/** By the place of a word, nowhere first. */
const worth = [0, FIELD_WEIGHTS.any, FIELD_WEIGHTS.often, FIELD_WEIGHTS.keyword, FIELD_WEIGHTS.title];
const YEAR_MS = 365 * 86_400_000;
/** All that quality and freshness can add. */
const MOST_EXTRA = QUALITY_WEIGHT + FRESHNESS_WEIGHT;
const BREATHE_MS = 10;

type Part = { segment: Segment; facts: DocumentMetadata; rows: Map<number, Buffer> | undefined };

/** Documents by their words, all of them counted, the best of them in order. */
export async function findDocuments(ctx: Context, request: FindRequest): Promise<FindResult> {
  const segments = await readSegments(ctx);
  const [rows, facts] = await Promise.all([
    readRows(ctx, request.query, segments),
    Promise.all(segments.map((segment) => readMetadata(ctx, segment))),
  ]);
  const parts = segments.flatMap((segment, at) => {
    const its = facts[at];
    return its ? [{ segment, facts: its, rows: rows.get(segment.id) }] : [];
  });
  const whole = await collect(ctx, request, parts, 'all');
  const isRelaxed = whole.matched === 0 && request.query.words.length > 1;
  const found = isRelaxed ? await collect(ctx, request, parts, 'some') : whole;
  const candidates = await inOrder(ctx, request, found);
  const { total, facets } = found.counter;
  return { candidates: candidates.slice(0, request.limit), total, facets, isRelaxed };
}

async function inOrder(
  ctx: Context,
  { query, sort, limit }: FindRequest,
  { best, ids }: Collected,
): Promise<Candidate[]> {
  if (sort === 'default') return rankTitles(ctx, query, best.sorted());
  if (!isDatabaseSort(sort)) return best.sorted();
  const first = await sortInDatabase(ctx, { ids, sort, limit });
  return first.map((id) => ({ id, score: 0 }));
}

type Collected = {
  best: BestCandidates;
  counter: MatchCounter;
  /** All that have the words and may be found, before any filter. */
  matched: number;
  /** Of orders only the database knows. */
  ids: number[];
};

/** `all`: documents with all the words; `some`: with at least one. */
async function collect(
  ctx: Context,
  { query, viewer, filters, sinces, sort, limit }: FindRequest,
  parts: Part[],
  mode: 'all' | 'some',
): Promise<Collected> {
  const counter = new MatchCounter(filters, sinces);
  const best = new BestCandidates(Math.max(limit, TITLES));
  const ids: number[] = [];
  const now = ctx.now().getTime();
  const isByScore = sort === 'default';
  let matched = 0;
  let least = best.least;
  let breathedAt = performance.now();
  for (const part of parts) {
    const { facts } = part;
    const scores = scoresOf(part, query, mode);
    if (!scores) continue;
    const counted = counter.of(facts);
    for (let slot = 0; slot < scores.length; slot += 1) {
      const score = scores[slot] ?? 0;
      if (score === 0 || !isFindable(facts, slot, viewer)) continue;
      matched += 1;
      if (!counted.passes(slot)) continue;
      // Most of many are too far behind to be looked at closely.
      if (isByScore && score + MOST_EXTRA < least) continue;
      const id = facts.ids[slot] ?? 0;
      if (isDatabaseSort(sort)) ids.push(id);
      else {
        best.add(id, sortValue(facts, slot, sort, score, now));
        least = best.least;
      }
    }
    counted.close();
    if (performance.now() - breathedAt < BREATHE_MS) continue;
    // Others are served meanwhile.
    await breathe();
    breathedAt = performance.now();
  }
  return { best, counter, matched, ids };
}

/** Of one segment at a time: nobody waits while its slots are looked at. */
let room = new Float32Array(0);

/** The relevance of each slot by its words alone; null where no slot has any. */
function scoresOf({ segment, rows }: Part, { words, unwanted }: Query, mode: 'all' | 'some'): Float32Array | null {
  if (room.length < segment.slots) room = new Float32Array(segment.slots);
  const scores = room.subarray(0, segment.slots).fill(0);
  let isEmpty = true;
  for (const word of words) {
    const levels = levelsOf(segment, rows, word);
    if (!levels && mode === 'all') return null;
    if (!levels) continue;
    const gains = worth.map((its) => word.weight * (mode === 'all' ? its : Math.sign(its)));
    if (isEmpty || mode === 'some') addGains(scores, levels, gains);
    else keepGains(scores, levels, gains);
    isEmpty = false;
  }
  if (isEmpty) return null;
  for (const word of unwanted) {
    // Whether its characters stand side by side only the text tells.
    if (word.isPhrase) continue;
    const levels = levelsOf(segment, rows, word);
    if (levels) for (let slot = 0; slot < scores.length; slot += 1) if (levels[slot]) scores[slot] = 0;
  }
  return scores;
}

function addGains(scores: Float32Array, levels: Uint8Array, gains: readonly number[]): void {
  for (let slot = 0; slot < scores.length; slot += 1)
    scores[slot] = (scores[slot] ?? 0) + (gains[levels[slot] ?? 0] ?? 0);
}

/** Only what has this word as well stays. */
function keepGains(scores: Float32Array, levels: Uint8Array, gains: readonly number[]): void {
  for (let slot = 0; slot < scores.length; slot += 1) {
    const before = scores[slot] ?? 0;
    const level = levels[slot] ?? 0;
    scores[slot] = before > 0 && level > 0 ? before + (gains[level] ?? 0) : 0;
  }
}

/** What the order goes by. Quality and freshness decide between equals. */
function sortValue(facts: DocumentMetadata, slot: number, sort: SearchSort, score: number, now: number): number {
  const createdAt = facts.createdAt[slot] ?? 0;
  if (sort === 'latest') return createdAt;
  if (sort === 'pages') return facts.pages[slot] ?? 0;
  if (sort === 'size') return facts.size[slot] ?? 0;
  const age = Math.max(0, now - createdAt) / YEAR_MS;
  return score + QUALITY_WEIGHT * (facts.quality[slot] ?? 0) + FRESHNESS_WEIGHT / (1 + age);
}
