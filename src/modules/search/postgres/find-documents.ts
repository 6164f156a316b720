import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Context } from '#platform/server/context.ts';
import { FIELD_WEIGHTS, FRESHNESS_WEIGHT, QUALITY_WEIGHT } from '../query/field-weights.ts';
import type { Query } from '../query/parse-query.ts';
import { MAX_RANKED_TITLES, rankLiteralTitlesFirst } from '../query/rank-literal-titles-first.ts';
import type { SearchSort } from '../search.contract.ts';
import type { Candidate, FindRequest, FindResult } from '../search-engine.ts';
import { BestCandidates } from './best-candidates.ts';
import { isFindable, MatchCounter } from './match-counter.ts';
import { fieldLevelsOfWord, readPostings } from './match-words.ts';
import { type DocumentMetadata, readSegmentMetadata, readSegments, type Segment } from './read-segments.ts';
import { isDatabaseSort, sortInDatabase } from './sort-in-database.ts';

/** By field level of a word; level 0 is absent. */
const levelWeights = [0, FIELD_WEIGHTS.any, FIELD_WEIGHTS.often, FIELD_WEIGHTS.keyword, FIELD_WEIGHTS.title];
const YEAR_MS = 365 * 86_400_000;
/** The most that quality and freshness can add to a score. */
const MAX_BONUS = QUALITY_WEIGHT + FRESHNESS_WEIGHT;
const TIME_SLICE_MS = 10;

type SegmentData = { segment: Segment; metadata: DocumentMetadata; rows: Map<number, Buffer> | undefined };

/** Counts all matches and returns the best ones in order. */
export async function findDocuments(ctx: Context, request: FindRequest): Promise<FindResult> {
  const segments = await readSegments(ctx);
  const [rows, metadata] = await Promise.all([
    readPostings(ctx, request.query, segments),
    Promise.all(segments.map((segment) => readSegmentMetadata(ctx, segment))),
  ]);
  const parts = segments.flatMap((segment, at) => {
    const segmentMetadata = metadata[at];
    return segmentMetadata ? [{ segment, metadata: segmentMetadata, rows: rows.get(segment.id) }] : [];
  });
  const allWords = await collectMatches(ctx, request, parts, 'all');
  const isRelaxed = allWords.matched === 0 && request.query.words.length > 1;
  const matches = isRelaxed ? await collectMatches(ctx, request, parts, 'some') : allWords;
  const candidates = await sortMatches(ctx, request, matches);
  const { total, facets } = matches.counter;
  return { candidates: candidates.slice(0, request.limit), total, facets, isRelaxed };
}

async function sortMatches(
  ctx: Context,
  { query, sort, limit }: FindRequest,
  { best, ids }: Matches,
): Promise<Candidate[]> {
  if (sort === 'default') return rankLiteralTitlesFirst(ctx, query, best.sorted());
  if (!isDatabaseSort(sort)) return best.sorted();
  const first = await sortInDatabase(ctx, { ids, sort, limit });
  return first.map((id) => ({ id, score: 0 }));
}

type Matches = {
  best: BestCandidates;
  counter: MatchCounter;
  /** Documents that have the words and are visible to the viewer, before any filter. */
  matched: number;
  /** Ids to sort in SQL, for sort orders that the index does not hold. */
  ids: number[];
};

/** `all`: documents with all the words; `some`: with at least one. */
async function collectMatches(
  ctx: Context,
  { query, viewer, filters, periodStarts, sort, limit, collapsesTwins }: FindRequest,
  parts: SegmentData[],
  mode: 'all' | 'some',
): Promise<Matches> {
  const counter = new MatchCounter(filters, periodStarts);
  const best = new BestCandidates(Math.max(limit, MAX_RANKED_TITLES));
  const ids: number[] = [];
  const now = ctx.now().getTime();
  const isByScore = sort === 'default';
  let matchCount = 0;
  let minScore = best.minScore;
  let sliceStartedAt = performance.now();
  for (const part of parts) {
    const { metadata } = part;
    const scores = scoreSlots(part, query, mode);
    if (!scores) continue;
    const segmentCounter = counter.forSegment(metadata);
    const twins = collapsesTwins ? metadata.twins : null;
    for (let slot = 0; slot < scores.length; slot += 1) {
      const score = scores[slot] ?? 0;
      if (score === 0 || !isFindable(metadata, slot, viewer)) continue;
      matchCount += 1;
      const group = twins === null ? 0 : (twins[slot] ?? 0);
      if (group > 0) {
        segmentCounter.addTwin(slot, group, sortValue(metadata, slot, sort, score, now));
        continue;
      }
      if (!segmentCounter.passes(slot)) continue;
      // Skips documents that cannot enter the best ones even with the maximum bonus.
      if (isByScore && score + MAX_BONUS < minScore) continue;
      const id = metadata.ids[slot] ?? 0;
      if (isDatabaseSort(sort)) ids.push(id);
      else {
        best.add(id, sortValue(metadata, slot, sort, score, now));
        minScore = best.minScore;
      }
    }
    segmentCounter.close();
    if (performance.now() - sliceStartedAt < TIME_SLICE_MS) continue;
    // Other requests run meanwhile.
    await yieldToEventLoop();
    sliceStartedAt = performance.now();
  }
  for (const { id, sortValue: value } of counter.closeTwins()) {
    if (isDatabaseSort(sort)) ids.push(id);
    else best.add(id, value);
  }
  return { best, counter, matched: matchCount, ids };
}

/** Reused for every segment: scoring one segment is synchronous, so no other search can use it meanwhile. */
let scoreBuffer = new Float32Array(0);

/** Relevance of each slot by its words alone; null if no slot matches. */
function scoreSlots(
  { segment, rows }: SegmentData,
  { words, excludedWords }: Query,
  mode: 'all' | 'some',
): Float32Array | null {
  if (scoreBuffer.length < segment.slots) scoreBuffer = new Float32Array(segment.slots);
  const scores = scoreBuffer.subarray(0, segment.slots).fill(0);
  let isEmpty = true;
  for (const word of words) {
    const levels = fieldLevelsOfWord(segment, rows, word);
    if (!levels && mode === 'all') return null;
    if (!levels) continue;
    const gains = levelWeights.map((weight) => word.weight * (mode === 'all' ? weight : Math.sign(weight)));
    if (isEmpty || mode === 'some') addWordScores(scores, levels, gains);
    else addScoresOfRequiredWord(scores, levels, gains);
    isEmpty = false;
  }
  if (isEmpty) return null;
  for (const word of excludedWords) {
    // The index does not store positions; excluded phrases are checked in the text.
    if (word.isPhrase) continue;
    const levels = fieldLevelsOfWord(segment, rows, word);
    if (levels) for (let slot = 0; slot < scores.length; slot += 1) if (levels[slot]) scores[slot] = 0;
  }
  return scores;
}

function addWordScores(scores: Float32Array, levels: Uint8Array, gains: readonly number[]): void {
  for (let slot = 0; slot < scores.length; slot += 1)
    scores[slot] = (scores[slot] ?? 0) + (gains[levels[slot] ?? 0] ?? 0);
}

/** Zeroes the slots that do not have this word. */
function addScoresOfRequiredWord(scores: Float32Array, levels: Uint8Array, gains: readonly number[]): void {
  for (let slot = 0; slot < scores.length; slot += 1) {
    const before = scores[slot] ?? 0;
    const level = levels[slot] ?? 0;
    scores[slot] = before > 0 && level > 0 ? before + (gains[level] ?? 0) : 0;
  }
}

/** The sort key. Quality and freshness break ties. */
function sortValue(metadata: DocumentMetadata, slot: number, sort: SearchSort, score: number, now: number): number {
  const createdAt = metadata.createdAt[slot] ?? 0;
  if (sort === 'latest') return createdAt;
  if (sort === 'pages') return metadata.pages[slot] ?? 0;
  if (sort === 'size') return metadata.size[slot] ?? 0;
  const age = Math.max(0, now - createdAt) / YEAR_MS;
  return score + QUALITY_WEIGHT * (metadata.quality[slot] ?? 0) + FRESHNESS_WEIGHT / (1 + age);
}
