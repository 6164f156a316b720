import { representativeExtension } from '../query/search-filters.ts';
import type { FacetName, Facets, Filters, SearchViewer } from '../search-engine.ts';
import { emptyFacets } from '../search-engine.ts';
import { collapseTwins, type MatchingTwin } from './collapse-twins.ts';
import { type DocumentMetadata, FEES } from './read-segments.ts';

const SCOPE_PUBLIC = 0;
const SCOPE_MEMBERS = 1;
const SCOPE_OWNER = 2;
const SCOPE_NONE = 3;

export function isFindable(
  { scope, users }: DocumentMetadata,
  slot: number,
  { isManager, userId }: SearchViewer,
): boolean {
  const documentScope = scope[slot] ?? SCOPE_NONE;
  if (documentScope === SCOPE_PUBLIC) return true;
  if (documentScope === SCOPE_NONE) return false;
  if (isManager) return true;
  if (userId === null) return false;
  return documentScope <= SCOPE_MEMBERS || (documentScope === SCOPE_OWNER && users[slot] === userId);
}

type Check = { facet: FacetName | null; passes: (slot: number) => boolean };

/** Builds one check per active filter for the documents of one segment. */
function buildFilterChecks(metadata: DocumentMetadata, filters: Filters): Check[] {
  const checks: Check[] = [];
  const { extensions, languages, categories, users, fee, pages, since, from, to } = filters;
  const check = (facet: FacetName | null, passes: Check['passes']) => checks.push({ facet, passes });
  const createdAfter = (text: string) => {
    const time = Date.parse(text);
    return (slot: number) => (metadata.createdAt[slot] ?? 0) >= time;
  };
  if (extensions) {
    const isAllowedExt = metadata.values.exts.map((ext) => extensions.includes(ext));
    check('ext', (slot) => isAllowedExt[metadata.ext[slot] ?? 0] === true);
  }
  if (languages) {
    const isAllowedLanguage = metadata.values.languages.map((language) => languages.includes(language));
    check('language', (slot) => isAllowedLanguage[metadata.language[slot] ?? 0] === true);
  }
  if (categories) {
    const requestedCategories = new Set(categories.map(String));
    const isAllowedCategory = metadata.values.categories.map((ids) => ids.some((id) => requestedCategories.has(id)));
    check('category', (slot) => isAllowedCategory[metadata.categories[slot] ?? 0] === true);
  }
  if (fee) check('fee_type', (slot) => FEES[metadata.fee[slot] ?? 0] === fee);
  if (pages)
    check('pages', (slot) => {
      const pageCount = metadata.pages[slot] ?? 0;
      return pageCount >= pages.from && (pages.to === 0 || pageCount <= pages.to);
    });
  if (since !== undefined) check('duration', createdAfter(since));
  if (from !== undefined) check(null, createdAfter(from));
  if (to !== undefined) {
    const time = Date.parse(to);
    check(null, (slot) => (metadata.createdAt[slot] ?? 0) <= time);
  }
  if (users) {
    const requestedUsers = new Set(users);
    check(null, (slot) => requestedUsers.has(metadata.users[slot] ?? 0));
  }
  return checks;
}

const REJECTED_SLOT = Symbol('rejected');

/** The only check that fails, null if all pass; a slot that fails several, or one of no facet, counts nowhere. */
function findFailedCheck(checks: readonly Check[], slot: number): Check | null | typeof REJECTED_SLOT {
  let failedCheck: Check | null = null;
  for (const check of checks) {
    if (check.passes(slot)) continue;
    if (failedCheck || check.facet === null) return REJECTED_SLOT;
    failedCheck = check;
  }
  return failedCheck;
}

function facetValuesOf(
  metadata: DocumentMetadata,
  slot: number,
  periodStarts: readonly [string, number][],
): MatchingTwin['values'] {
  const { values } = metadata;
  const createdAt = metadata.createdAt[slot] ?? 0;
  return {
    ext: [representativeExtension(values.exts[metadata.ext[slot] ?? 0] ?? '')],
    language: [values.languages[metadata.language[slot] ?? 0] ?? ''],
    fee_type: [FEES[metadata.fee[slot] ?? 0] ?? FEES[0]],
    pages: values.ranges[metadata.ranges[slot] ?? 0] ?? [],
    category: values.categories[metadata.categories[slot] ?? 0] ?? [],
    duration: periodStarts.filter(([, start]) => createdAt >= start).map(([name]) => name),
  };
}

/** Reused for every segment: counting one segment is synchronous, so no other search can use it meanwhile. */
let passingBuffer = new Int32Array(0);

/** A list of slots backed by a preallocated array. */
class SlotList {
  readonly all: Int32Array;
  length = 0;
  constructor(slots: Int32Array) {
    this.all = slots;
  }
  push(slot: number): void {
    this.all[this.length] = slot;
    this.length += 1;
  }
}

/** Counts how often each value number occurs among the given slots. */
class FacetValueCounter {
  readonly #numbers: ArrayLike<number>;
  readonly #counts: Uint32Array;
  constructor(numbers: ArrayLike<number>, values: number) {
    this.#numbers = numbers;
    this.#counts = new Uint32Array(values);
  }
  /** Takes many slots per call: one call per slot dominated the search time. */
  add(slots: SlotList): void {
    const [numbers, counts] = [this.#numbers, this.#counts];
    for (let place = 0; place < slots.length; place += 1) {
      const at = numbers[slots.all[place] ?? 0] ?? 0;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  entries() {
    return this.#counts.entries();
  }
}

type SegmentCounter = {
  /** Whether a matching slot passes all filters; it is counted. */
  passes(slot: number): boolean;
  /** Stores a matching slot of a group, to be counted with its twins at the end. */
  addTwin(slot: number, group: number, sortValue: number): void;
  /** Adds the counts of the segment. */
  close(): void;
};

/** Counts matches in total and per facet; a facet ignores its own filter. */
export class MatchCounter {
  total = 0;
  readonly facets: Facets = emptyFacets();
  readonly #periodStarts: [string, number][];
  readonly #filters: Filters;
  readonly #twins: MatchingTwin[] = [];
  constructor(filters: Filters, periodStarts: Record<string, string>) {
    this.#filters = filters;
    // Longest period first: a document older than one period is in none of the shorter ones.
    this.#periodStarts = Object.entries(periodStarts)
      .map(([name, start]): [string, number] => [name, Date.parse(start)])
      .sort(([, a], [, b]) => a - b);
  }

  /** Counts each group of twins once, and returns the oldest document of each. */
  closeTwins(): MatchingTwin[] {
    const { oldest, facets } = collapseTwins(this.#twins);
    this.total += oldest.length;
    for (const [name, counts] of Object.entries(facets) as [FacetName, Map<string, number>][])
      for (const [value, by] of counts) this.#add(name, value, by);
    return oldest;
  }

  #add(facet: FacetName, value: string, by: number): void {
    const counts = this.facets[facet];
    counts.set(value, (counts.get(value) ?? 0) + by);
  }

  forSegment(metadata: DocumentMetadata): SegmentCounter {
    const checks = buildFilterChecks(metadata, this.#filters);
    const { values, createdAt } = metadata;
    const ext = new FacetValueCounter(metadata.ext, values.exts.length);
    const language = new FacetValueCounter(metadata.language, values.languages.length);
    const fee = new FacetValueCounter(metadata.fee, FEES.length);
    const pages = new FacetValueCounter(metadata.ranges, values.ranges.length);
    const category = new FacetValueCounter(metadata.categories, values.categories.length);
    const periodStarts = this.#periodStarts.map(([, start]) => start);
    const durations = new Uint32Array(periodStarts.length);
    const duration = {
      add(slots: SlotList) {
        for (let place = 0; place < slots.length; place += 1) {
          const createdMs = createdAt[slots.all[place] ?? 0] ?? 0;
          for (let at = 0; at < periodStarts.length && createdMs >= (periodStarts[at] ?? 0); at += 1)
            durations[at] = (durations[at] ?? 0) + 1;
        }
      },
    };
    const tallies = { ext, language, fee_type: fee, pages, category, duration };
    if (passingBuffer.length < createdAt.length) passingBuffer = new Int32Array(createdAt.length);
    const passingSlots = new SlotList(passingBuffer);
    /** Slots that only this facet's own filter rejects still count for the facet. */
    const rejectedByFacet = new Map(
      checks.flatMap(({ facet }) => (facet ? [[facet, new SlotList(new Int32Array(createdAt.length))]] : [])),
    );
    return {
      passes: (slot) => {
        const failedCheck = findFailedCheck(checks, slot);
        if (failedCheck === REJECTED_SLOT) return false;
        if (failedCheck?.facet) rejectedByFacet.get(failedCheck.facet)?.push(slot);
        else passingSlots.push(slot);
        return failedCheck === null;
      },
      addTwin: (slot, group, sortValue) => {
        const failedCheck = findFailedCheck(checks, slot);
        if (failedCheck === REJECTED_SLOT) return;
        const id = metadata.ids[slot] ?? 0;
        const values = facetValuesOf(metadata, slot, this.#periodStarts);
        this.#twins.push({ id, group, sortValue, rejectedBy: failedCheck?.facet ?? null, values });
      },
      close: () => {
        this.total += passingSlots.length;
        for (const tally of Object.values(tallies)) tally.add(passingSlots);
        for (const [facet, slots] of rejectedByFacet) tallies[facet].add(slots);
        const addToFacet = (name: FacetName, tally: FacetValueCounter, names: readonly (readonly string[])[]) => {
          for (const [at, by] of tally.entries())
            if (by > 0) for (const value of names[at] ?? []) this.#add(name, value, by);
        };
        const each = (names: readonly string[]) => names.map((name) => [name]);
        addToFacet('ext', ext, each(values.exts));
        addToFacet('language', language, each(values.languages));
        addToFacet('fee_type', fee, each(FEES));
        addToFacet('pages', pages, values.ranges);
        addToFacet('category', category, values.categories);
        for (const [at, [name]] of this.#periodStarts.entries()) {
          const by = durations[at] ?? 0;
          if (by > 0) this.#add('duration', name, by);
        }
      },
    };
  }
}
