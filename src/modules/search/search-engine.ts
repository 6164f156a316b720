import type { Context } from '#platform/server/context.ts';
import type { IndexEntry } from './index/build-index-entry.ts';
import type { Query } from './query/parse-query.ts';
import type { SearchSort } from './search.contract.ts';

/** Decides which documents are visible. */
export type SearchViewer = { isManager: boolean; userId: number | null };

export type Filters = {
  /** With the dot. */
  extensions?: readonly string[];
  categories?: readonly number[];
  users?: readonly number[];
  languages?: readonly string[];
  fee?: 'free' | 'charge';
  pages?: { from: number; to: number };
  /** RFC 3339 instants: start of the selected period, and a custom range. */
  since?: string;
  from?: string;
  to?: string;
};

export type FindRequest = {
  query: Query;
  viewer: SearchViewer;
  filters: Filters;
  sort: SearchSort;
  /** Maximum number of candidates. */
  limit: number;
  /** Documents with nearly the same file are one result: the oldest that matches. Counts are those of results. */
  collapsesTwins: boolean;
  /** Start of each period that is counted as a facet, by name. */
  periodStarts: Record<string, string>;
};

export const facetNames = ['ext', 'category', 'language', 'duration', 'pages', 'fee_type'] as const;
export type FacetName = (typeof facetNames)[number];
/** Result count per value; a facet ignores its own filter. */
export type Facets = Record<FacetName, Map<string, number>>;

export const emptyFacets = (): Facets => Object.fromEntries(facetNames.map((name) => [name, new Map()])) as Facets;

/** `score` is about 0 to 3 and comparable within one result. */
export type Candidate = { id: number; score: number };
export type FindResult = {
  candidates: Candidate[];
  total: number;
  isRelaxed: boolean;
  facets: Facets;
};

/** Implemented for PostgreSQL and OpenSearch. */
export type SearchEngine = {
  name: 'postgres' | 'opensearch';
  /** Identifies the index and creates a missing one. A changed identity triggers a full re-index. */
  identity(ctx: Context): Promise<string>;
  find(ctx: Context, request: FindRequest): Promise<FindResult>;
  /**
   * Adds or replaces documents in the caller's transaction. The caller must call the returned function after the
   * commit.
   */
  put(ctx: Context, entries: IndexEntry[]): Promise<() => void>;
  /** Updates the metadata of documents, and removes documents that no longer exist. */
  refresh(ctx: Context, ids: number[]): Promise<void>;
  /** Called when the queue is empty, and regularly during long runs. */
  compact(ctx: Context, isAborted?: () => boolean): Promise<void>;
  /** Sizes in bytes. */
  measure(ctx: Context): Promise<{ documents: number; size: number; textSize: number }>;
};
