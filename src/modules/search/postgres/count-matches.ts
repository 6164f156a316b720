import type { FacetName, Facets, Filters, Viewer } from '../search-engine.ts';
import { emptyFacets } from '../search-engine.ts';
import { type DocumentMetadata, FEES } from './segments.ts';

const GONE = 3;
const OWN = 2;
const MEMBERS = 1;

/** Whether somebody may find the document of a slot at all. */
export function isFindable({ scope, users }: DocumentMetadata, slot: number, { isManager, userId }: Viewer): boolean {
  const its = scope[slot] ?? GONE;
  if (its === 0) return true;
  if (its === GONE) return false;
  if (isManager) return true;
  if (userId === null) return false;
  return its <= MEMBERS || (its === OWN && users[slot] === userId);
}

type Check = { facet: FacetName | null; passes: (slot: number) => boolean };

/** The filters of a search for the documents of one segment. */
function checksOf(facts: DocumentMetadata, filters: Filters): Check[] {
  const checks: Check[] = [];
  const { extensions, languages, categories, users, fee, pages, since, from, to } = filters;
  const check = (facet: FacetName | null, passes: Check['passes']) => checks.push({ facet, passes });
  const createdAfter = (text: string) => {
    const time = Date.parse(text);
    return (slot: number) => (facts.createdAt[slot] ?? 0) >= time;
  };
  if (extensions) {
    const allowed = facts.values.exts.map((ext) => extensions.includes(ext));
    check('ext', (slot) => allowed[facts.ext[slot] ?? 0] === true);
  }
  if (languages) {
    const allowed = facts.values.languages.map((language) => languages.includes(language));
    check('language', (slot) => allowed[facts.language[slot] ?? 0] === true);
  }
  if (categories) {
    const wanted = new Set(categories.map(String));
    const allowed = facts.values.categories.map((ids) => ids.some((id) => wanted.has(id)));
    check('category', (slot) => allowed[facts.categories[slot] ?? 0] === true);
  }
  if (fee) check('fee_type', (slot) => FEES[facts.fee[slot] ?? 0] === fee);
  if (pages)
    check('pages', (slot) => {
      const its = facts.pages[slot] ?? 0;
      return its >= pages.from && (pages.to === 0 || its <= pages.to);
    });
  if (since !== undefined) check('duration', createdAfter(since));
  if (from !== undefined) check(null, createdAfter(from));
  if (to !== undefined) {
    const time = Date.parse(to);
    check(null, (slot) => (facts.createdAt[slot] ?? 0) <= time);
  }
  if (users) {
    const wanted = new Set(users);
    check(null, (slot) => wanted.has(facts.users[slot] ?? 0));
  }
  return checks;
}

/** Of one segment at a time: nobody waits while its matches are counted. */
let passed = new Int32Array(0);

/** Some slots of a segment. */
class Slots {
  readonly all: Int32Array;
  length = 0;
  constructor(all: Int32Array) {
    this.all = all;
  }
  push(slot: number): void {
    this.all[this.length] = slot;
    this.length += 1;
  }
}

/** How often each number comes up among the slots that are told. */
class Tally {
  readonly #numbers: ArrayLike<number>;
  readonly #counts: Uint32Array;
  constructor(numbers: ArrayLike<number>, values: number) {
    this.#numbers = numbers;
    this.#counts = new Uint32Array(values);
  }
  /** One loop for all: told one by one, most of a search would go by with telling. */
  tell(slots: Slots): void {
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

/** Counts what is found, of every facet without its own filter. */
export class MatchCounter {
  total = 0;
  readonly facets: Facets = emptyFacets();
  readonly #sinces: [string, number][];
  readonly #filters: Filters;
  constructor(filters: Filters, sinces: Record<string, string>) {
    this.#filters = filters;
    // The longest time first: whatever is older than that is in none of the others.
    this.#sinces = Object.entries(sinces)
      .map(([name, since]): [string, number] => [name, Date.parse(since)])
      .sort(([, one], [, other]) => one - other);
  }

  /** For the slots of one segment: tells of a match whether it passes all filters. */
  of(facts: DocumentMetadata): { passes(slot: number): boolean; close(): void } {
    const checks = checksOf(facts, this.#filters);
    const { values, createdAt } = facts;
    const ext = new Tally(facts.ext, values.exts.length);
    const language = new Tally(facts.language, values.languages.length);
    const fee = new Tally(facts.fee, FEES.length);
    const pages = new Tally(facts.ranges, values.ranges.length);
    const category = new Tally(facts.categories, values.categories.length);
    const sinces = this.#sinces.map(([, since]) => since);
    const durations = new Uint32Array(sinces.length);
    const duration = {
      tell(slots: Slots) {
        for (let place = 0; place < slots.length; place += 1) {
          const its = createdAt[slots.all[place] ?? 0] ?? 0;
          for (let at = 0; at < sinces.length && its >= (sinces[at] ?? 0); at += 1)
            durations[at] = (durations[at] ?? 0) + 1;
        }
      },
    };
    const tallies = { ext, language, fee_type: fee, pages, category, duration };
    if (passed.length < createdAt.length) passed = new Int32Array(createdAt.length);
    const passing = new Slots(passed);
    /** What only the filter of a facet keeps out counts for that facet. */
    const missing = new Map(
      checks.flatMap(({ facet }) => (facet ? [[facet, new Slots(new Int32Array(createdAt.length))]] : [])),
    );
    return {
      passes: (slot) => {
        let failed: Check | null = null;
        for (const check of checks) {
          if (check.passes(slot)) continue;
          if (failed || check.facet === null) return false;
          failed = check;
        }
        if (failed?.facet) missing.get(failed.facet)?.push(slot);
        else passing.push(slot);
        return failed === null;
      },
      close: () => {
        this.total += passing.length;
        for (const tally of Object.values(tallies)) tally.tell(passing);
        for (const [facet, slots] of missing) tallies[facet].tell(slots);
        const add = (name: FacetName, tally: Tally, names: readonly (readonly string[])[]) => {
          const counts = this.facets[name];
          for (const [at, by] of tally.entries())
            if (by > 0) for (const value of names[at] ?? []) counts.set(value, (counts.get(value) ?? 0) + by);
        };
        const each = (names: readonly string[]) => names.map((name) => [name]);
        add('ext', ext, each(values.exts));
        add('language', language, each(values.languages));
        add('fee_type', fee, each(FEES));
        add('pages', pages, values.ranges);
        add('category', category, values.categories);
        for (const [at, [name]] of this.#sinces.entries()) {
          const by = durations[at] ?? 0;
          const known = this.facets.duration.get(name) ?? 0;
          if (by > 0) this.facets.duration.set(name, known + by);
        }
      },
    };
  }
}
