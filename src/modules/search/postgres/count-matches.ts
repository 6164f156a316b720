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
    const categories = new Map<readonly number[], number>();
    const count = (name: FacetName, value: string, by = 1) =>
      this.facets[name].set(value, (this.facets[name].get(value) ?? 0) + by);
    const tell: Record<FacetName, (slot: number) => void> = {
      ext: (slot) => {
        exts[facts.ext[slot] ?? 0] = (exts[facts.ext[slot] ?? 0] ?? 0) + 1;
      },
      language: (slot) => {
        languages[facts.language[slot] ?? 0] = (languages[facts.language[slot] ?? 0] ?? 0) + 1;
      },
      category: (slot) => {
        const list = facts.categories[slot] ?? [];
        categories.set(list, (categories.get(list) ?? 0) + 1);
      },
      fee_type: (slot) => count('fee_type', facts.price[slot] === 0 ? 'free' : 'charge'),
      pages: (slot) => {
        const its = facts.pages[slot] ?? 0;
        for (const [name, { from, to }] of ranges)
          if (its >= from && (to === 0 || its <= to)) count('pages', name);
      },
      duration: (slot) => {
        const its = facts.createdAt[slot] ?? 0;
        for (const [name, since] of this.#sinces) if (its >= since) count('duration', name);
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
        for (const [at, ext] of facts.exts.entries()) if (exts[at]) count('ext', ext, exts[at]);
        for (const [at, language] of facts.languages.entries())
          if (languages[at]) count('language', language, languages[at]);
        for (const [list, times] of categories)
          for (const id of list) count('category', String(id), times);
      },
    };
  }
}
