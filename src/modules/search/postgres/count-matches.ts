import { searchPageRanges } from '../search.contract.ts';
import type { FacetName, Facets, Filters, Viewer } from '../search-engine.ts';
import { emptyFacets } from '../search-engine.ts';
import type { Facts } from './segments.ts';

const GONE = 3;
const OWN = 2;
const MEMBERS = 1;

/** Whether somebody may find the document of a slot at all. */
export function isFindable(
  { scope, users }: Facts,
  slot: number,
  { isManager, userId }: Viewer,
): boolean {
  const its = scope[slot] ?? GONE;
  if (its === 0) return true;
  if (its === GONE) return false;
  if (isManager) return true;
  if (userId === null) return false;
  return its <= MEMBERS || (its === OWN && users[slot] === userId);
}

type Check = { facet: FacetName | null; passes: (slot: number) => boolean };

/** The filters of a search for the documents of one segment. */
function checksOf(facts: Facts, filters: Filters): Check[] {
  const checks: Check[] = [];
  const { extensions, languages, categories, users, fee, pages, since, from, to } = filters;
  const check = (facet: FacetName | null, passes: Check['passes']) =>
    checks.push({ facet, passes });
  const createdAfter = (text: string) => {
    const time = Date.parse(text);
    return (slot: number) => (facts.createdAt[slot] ?? 0) >= time;
  };
  if (extensions) {
    const allowed = facts.exts.map((ext) => extensions.includes(ext));
    check('ext', (slot) => allowed[facts.ext[slot] ?? 0] === true);
  }
  if (languages) {
    const allowed = facts.languages.map((language) => languages.includes(language));
    check('language', (slot) => allowed[facts.language[slot] ?? 0] === true);
  }
  if (categories) {
    const wanted = new Set(categories);
    check('category', (slot) => facts.categories[slot]?.some((id) => wanted.has(id)) === true);
  }
  if (fee) check('fee_type', (slot) => (facts.price[slot] === 0) === (fee === 'free'));
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

const ranges = Object.entries(searchPageRanges);

/** Counts what is found, of every facet without its own filter. */
export class MatchCounter {
  total = 0;
  readonly facets: Facets = emptyFacets();
  readonly #sinces: [string, number][];
  readonly #filters: Filters;
  constructor(filters: Filters, sinces: Record<string, string>) {
    this.#filters = filters;
    this.#sinces = Object.entries(sinces).map(([name, since]) => [name, Date.parse(since)]);
  }

  /** For the slots of one segment: tells of a match whether it passes all filters. */
  of(facts: Facts): { passes(slot: number): boolean; close(): void } {
    const checks = checksOf(facts, this.#filters);
    const exts = new Uint32Array(facts.exts.length);
    const languages = new Uint32Array(facts.languages.length);
    const fees = new Uint32Array(2);
    const pages = new Uint32Array(ranges.length);
    const durations = new Uint32Array(this.#sinces.length);
    const sinces = this.#sinces;
    const categories = new Map<readonly number[], number>();
    const raise = (counts: Uint32Array, at: number) => {
      counts[at] = (counts[at] ?? 0) + 1;
    };
    // Numbers first: names are looked up once for each of them, not for each match.
    const tell: Record<FacetName, (slot: number) => void> = {
      ext: (slot) => raise(exts, facts.ext[slot] ?? 0),
      language: (slot) => raise(languages, facts.language[slot] ?? 0),
      category: (slot) => {
        const list = facts.categories[slot] ?? [];
        categories.set(list, (categories.get(list) ?? 0) + 1);
      },
      fee_type: (slot) => raise(fees, facts.price[slot] === 0 ? 0 : 1),
      pages: (slot) => {
        const its = facts.pages[slot] ?? 0;
        for (let at = 0; at < ranges.length; at += 1) {
          const range = ranges[at]?.[1];
          if (range && its >= range.from && (range.to === 0 || its <= range.to)) raise(pages, at);
        }
      },
      duration: (slot) => {
        const its = facts.createdAt[slot] ?? 0;
        for (let at = 0; at < sinces.length; at += 1)
          if (its >= (sinces[at]?.[1] ?? 0)) raise(durations, at);
      },
    };
    const all = Object.values(tell);
    return {
      passes: (slot) => {
        let failed: Check | null = null;
        for (const check of checks) {
          if (check.passes(slot)) continue;
          if (failed || check.facet === null) return false;
          failed = check;
        }
        if (failed?.facet) {
          tell[failed.facet](slot);
          return false;
        }
        this.total += 1;
        for (const each of all) each(slot);
        return true;
      },
      close: () => {
        const count = (name: FacetName, value: string, by = 0) => {
          const counts = this.facets[name];
          if (by > 0) counts.set(value, (counts.get(value) ?? 0) + by);
        };
        for (const [at, ext] of facts.exts.entries()) count('ext', ext, exts[at]);
        for (const [at, name] of facts.languages.entries()) count('language', name, languages[at]);
        for (const [at, [name]] of ranges.entries()) count('pages', name, pages[at]);
        for (const [at, [name]] of sinces.entries()) count('duration', name, durations[at]);
        for (const [at, name] of ['free', 'charge'].entries()) count('fee_type', name, fees[at]);
        for (const [list, times] of categories)
          for (const id of list) count('category', String(id), times);
      },
    };
  }
}
