import type { Context } from '#platform/server/context.ts';
import type { IndexEntry } from './index/index-entry.ts';
import type { Query } from './query/parse-query.ts';
import type { SearchSort } from './search.contract.ts';

/** Whose documents are looked through. */
export type Viewer = { isManager: boolean; userId: number | null };

export type Filters = {
  /** Extensions with their dots. */
  extensions?: readonly string[];
  categories?: readonly number[];
  users?: readonly number[];
  languages?: readonly string[];
  fee?: 'free' | 'charge';
  pages?: { from: number; to: number };
  /** Instants, RFC 3339: the shortest time asked for, and a span given in full. */
  since?: string;
  from?: string;
  to?: string;
};

export type FindRequest = {
  query: Query;
  viewer: Viewer;
  filters: Filters;
  sort: SearchSort;
  /** So many of the best are wanted. */
  limit: number;
  /** The beginnings of the times results are counted by. */
  sinces: Record<string, string>;
};

export const facetNames = ['ext', 'category', 'language', 'duration', 'pages', 'fee_type'] as const;
export type FacetName = (typeof facetNames)[number];
/** How many results have a value; of each facet all but its own filter holds. */
export type Facets = Record<FacetName, Map<string, number>>;

export const emptyFacets = (): Facets => Object.fromEntries(facetNames.map((name) => [name, new Map()])) as Facets;

/** `score` is about 0 to 3 and comparable within one answer. */
export type Candidate = { id: number; score: number };
export type FindResult = {
  candidates: Candidate[];
  total: number;
  isRelaxed: boolean;
  facets: Facets;
};

/** What PostgreSQL and OpenSearch do alike. */
export type SearchEngine = {
  name: 'postgres' | 'opensearch';
  /** Which index this is; made where there is none. Where it is another one, all is taken up anew. */
  identity(ctx: Context): Promise<string>;
  find(ctx: Context, request: FindRequest): Promise<FindResult>;
  /**
   * Keeps documents under their words, in the caller's transaction; those that are there are
   * replaced. What it returns is to be called after the commit.
   */
  put(ctx: Context, entries: IndexEntry[]): Promise<() => void>;
  /** Takes over what is known of documents besides their text; those erased are forgotten. */
  refresh(ctx: Context, ids: number[]): Promise<void>;
  /** Called when nothing waits any more, and now and then before. */
  tidy(ctx: Context, isOver?: () => boolean): Promise<void>;
  /** Bytes and documents. */
  measure(ctx: Context): Promise<{ documents: number; size: number; textSize: number }>;
};
