/** Counts the matches of a search by facet and collects the best, for engines that only list matches. */

import { BestCandidates } from '#modules/search/postgres/best-candidates.ts';
import { FIELD_WEIGHTS, FRESHNESS_WEIGHT, QUALITY_WEIGHT } from '#modules/search/query/field-weights.ts';
import { emptyFacets, type FindRequest, type FindResult, facetNames } from '#modules/search/search-engine.ts';
import type { FacetValues } from './bench-engine.ts';

const YEAR_MS = 365 * 86_400_000;
/** Periods of a document: a bit that it is within the filtered period, and the number of facet periods that contain it. */
const PERIOD_CODES = 16;

const levelWeights: readonly number[] = Object.values(FIELD_WEIGHTS);
export const levelWeight = (level: number): number => levelWeights[level] ?? 0;
/** The difference to the weight of the level below. */
export const levelGain = (level: number): number => levelWeight(level) - levelWeight(level - 1);

/** Which facets reject a document of these values; the filter of a period is not among them. */
function rejectingFacets({ filters }: FindRequest, values: FacetValues): string[] {
  const { extensions, languages, categories, fee, pages } = filters;
  const rejections: [string, boolean][] = [
    ['ext', extensions !== undefined && !extensions.includes(values.ext)],
    ['language', languages !== undefined && !languages.includes(values.language)],
    ['category', categories !== undefined && !categories.some((id) => values.category.includes(String(id)))],
    ['fee_type', fee !== undefined && fee !== values.fee_type],
    ['pages', pages !== undefined && !values.pages.some((name) => Number.parseInt(name, 10) === pages.from)],
  ];
  return rejections.flatMap(([name, isRejected]) => (isRejected ? [name] : []));
}

/**
 * Documents with the same facet values share a number, so that counting a document is one addition. Each facet is
 * calculated afterwards from the counts of these numbers, and ignores its filter.
 */
export class MatchTally {
  /** Documents that have the words and are visible to the viewer, before any facet filter. */
  matchCount = 0;
  readonly #counts: Uint32Array;
  readonly #isAllowed: Uint8Array;
  readonly #best: BestCandidates;
  readonly #request: FindRequest;
  readonly #facetValues: readonly FacetValues[];
  readonly #periods: [string, number][];
  readonly #since: number;
  readonly #now: number;

  /** `facetValues` by the number that documents share. */
  constructor(request: FindRequest, facetValues: readonly FacetValues[], now: number) {
    this.#now = now;
    this.#request = request;
    this.#facetValues = facetValues;
    this.#counts = new Uint32Array(facetValues.length * PERIOD_CODES);
    this.#isAllowed = Uint8Array.from(facetValues, (values) => Number(rejectingFacets(request, values).length === 0));
    this.#best = new BestCandidates(Math.max(request.limit, 200));
    this.#since = request.filters.since === undefined ? -Infinity : Date.parse(request.filters.since);
    // Longest period first: a document older than one period is in none of the shorter ones.
    this.#periods = Object.entries(request.periodStarts)
      .map(([name, start]): [string, number] => [name, Date.parse(start)])
      .sort(([, a], [, b]) => a - b);
  }

  add(id: number, valuesNumber: number, createdAt: number, quality: number, wordScore: number): void {
    let periodCount = 0;
    for (const [, start] of this.#periods) {
      if (createdAt < start) break;
      periodCount += 1;
    }
    const isSince = createdAt >= this.#since;
    this.matchCount += 1;
    const code = valuesNumber * PERIOD_CODES + periodCount * 2 + Number(isSince);
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    if (!isSince || !this.#isAllowed[valuesNumber]) return;
    if (wordScore + QUALITY_WEIGHT + FRESHNESS_WEIGHT < this.#best.minScore) return;
    const age = Math.max(0, this.#now - createdAt) / YEAR_MS;
    this.#best.add(id, wordScore + QUALITY_WEIGHT * quality + FRESHNESS_WEIGHT / (1 + age));
  }

  result(isRelaxed: boolean): FindResult {
    const facets = emptyFacets();
    let total = 0;
    for (const [code, count] of this.#counts.entries()) {
      if (count === 0) continue;
      const values = this.#facetValues[Math.floor(code / PERIOD_CODES)];
      if (!values) continue;
      const rejections = rejectingFacets(this.#request, values);
      if (code % 2 === 0) rejections.push('duration');
      if (rejections.length === 0) total += count;
      const periodNames = this.#periods.slice(0, Math.floor((code % PERIOD_CODES) / 2)).map(([name]) => name);
      const names = { ...values, ext: [values.ext], language: [values.language], fee_type: [values.fee_type] };
      for (const facet of facetNames) {
        if (rejections.some((name) => name !== facet)) continue;
        for (const value of facet === 'duration' ? periodNames : names[facet])
          facets[facet].set(value, (facets[facet].get(value) ?? 0) + count);
      }
    }
    return { candidates: this.#best.sorted(), total, isRelaxed, facets };
  }
}
