import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import type { IndexEntry } from '../index/build-index-entry.ts';
import { countIndexedDocuments, storeMetadata } from '../index/store-metadata.ts';
import { MAX_RANKED_TITLES, rankLiteralTitlesFirst } from '../query/rank-literal-titles-first.ts';
import { searchErrors } from '../search.contract.ts';
import { emptyFacets, type FindRequest, type FindResult, facetNames, type SearchEngine } from '../search-engine.ts';
import { FIELDS } from '../text/term-keys.ts';
import { indexName, requestCluster } from './opensearch-client.ts';
import { buildSearchRequest, buildTwinRequest, MAX_TWIN_GROUPS, twinFacetName } from './opensearch-query.ts';

/** Up to this many changes become visible immediately; for more the cluster refreshes on its own schedule. */
const MAX_REFRESHED_CHANGES = 8;

const key = { type: 'long', doc_values: false };
const number = { type: 'long' };
const mapping = {
  settings: { number_of_shards: 2, auto_expand_replicas: '0-1' },
  mappings: {
    dynamic: 'strict',
    properties: {
      any: key,
      often: key,
      keyword: key,
      title: key,
      document_id: number,
      scope: number,
      user_id: number,
      price: number,
      pages: number,
      size: number,
      categories: number,
      score: number,
      view_count: number,
      download_count: number,
      favorite_count: number,
      quality: { type: 'float' },
      ext: { type: 'keyword' },
      language: { type: 'keyword' },
      created_at: { type: 'date' },
      twin_group: number,
    },
  },
};

/** Fields of later versions, added to the mapping of an existing index. */
const laterFields = { twin_group: number };

/** The UUID that the cluster gave the index; a recreated index has another one. */
async function ensureIndexIdentity(ctx: Context): Promise<string> {
  type IndexState = Record<string, { mappings: { properties?: object }; settings: { index: { uuid: string } } }>;
  const readIndex = () => requestCluster<IndexState>(ctx, 'GET', indexName(ctx));
  let { status, body } = await readIndex();
  if (status === 404) {
    await requestCluster(ctx, 'PUT', indexName(ctx), mapping);
    ({ status, body } = await readIndex());
  }
  const [index] = Object.values(body);
  const fields = index?.mappings.properties ?? {};
  if (!Object.keys(laterFields).every((name) => name in fields))
    await requestCluster(ctx, 'PUT', `${indexName(ctx)}/_mapping`, { properties: laterFields });
  return `opensearch ${index?.settings.index.uuid}`;
}

type MetadataRow = { id: string } & Record<string, unknown>;

async function readMetadataRows(ctx: Context, ids: number[]): Promise<MetadataRow[]> {
  const { rows } = await ctx.db.execute<MetadataRow>(sql`
    select s.document_id::text as id, s.document_id::float8 as document_id, s.scope,
      s.user_id::float8 as user_id, s.ext, s.language, s.price, s.pages, s.size::float8 as size,
      (extract(epoch from s.created_at) * 1000)::float8 as created_at,
      s.categories::float8[] as categories, s.quality, s.twin_group::float8 as twin_group,
      d.score, d.view_count, d.download_count, d.favorite_count
    from search_documents s join documents d on d.id = s.document_id
    where s.document_id = any(${toArrayLiteral(ids)}::bigint[])`);
  return rows;
}

type BulkResponse = { errors: boolean; items: Record<string, { status: number; error?: object }>[] };

async function sendBulkRequest(ctx: Context, lines: object[], count: number): Promise<void> {
  if (lines.length === 0) return;
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const path = `${indexName(ctx)}/_bulk?refresh=${count <= MAX_REFRESHED_CHANGES}`;
  const { status, body } = await requestCluster<BulkResponse>(ctx, 'POST', path, text);
  // A document to delete may be absent already.
  const failedItem = body.items
    ?.flatMap((item) => Object.values(item))
    .find((item) => item.error && item.status !== 404);
  if (status === 200 && !failedItem) return;
  throw new Error(`the search cluster rejected documents: ${status} ${JSON.stringify(failedItem)}`);
}

async function indexEntries(ctx: Context, entries: IndexEntry[]): Promise<() => void> {
  if (entries.length === 0) return () => {};
  await storeMetadata(ctx, entries);
  const termsOf = new Map(entries.map(({ id, terms }) => [String(id), terms]));
  const rows = await readMetadataRows(
    ctx,
    entries.map(({ id }) => id),
  );
  const lines = rows.flatMap(({ id, ...metadata }) => {
    const terms = [...(termsOf.get(id) ?? [])];
    const keysIn = (field: number) => terms.filter(([, fields]) => fields & field).map(([key]) => key);
    const words = Object.entries(FIELDS).map(([name, field]) => [name, keysIn(field)]);
    return [{ index: { _id: id } }, { ...metadata, ...Object.fromEntries(words) }];
  });
  await sendBulkRequest(ctx, lines, entries.length);
  return () => {};
}

/** Documents that no longer exist are deleted from the cluster. */
async function updateMetadata(ctx: Context, ids: number[]): Promise<void> {
  const rows = await readMetadataRows(ctx, ids);
  const existingIds = new Set(rows.map(({ id }) => id));
  const lines = [
    ...rows.flatMap(({ id, ...metadata }) => [{ update: { _id: id } }, { doc: metadata }]),
    ...ids.map(String).flatMap((id) => (existingIds.has(id) ? [] : [{ delete: { _id: id } }])),
  ];
  await sendBulkRequest(ctx, lines, ids.length);
}

/** `groups`: number of groups of twins among the documents of the bucket. */
type BucketCounts = { doc_count: number; groups?: { value: number } };
/** A list, or an object if the aggregation names its buckets. */
type Buckets = ({ key: string | number } & BucketCounts)[] | Record<string, BucketCounts>;
type SearchResponse = {
  hits: { total: { value: number }; hits: { _id: string; _score: number | null }[] };
  aggregations: Record<string, { values: { value?: number; buckets?: Buckets } }>;
};
type SearchMode = 'all' | 'some';

async function requestSearch(ctx: Context, request: object): Promise<SearchResponse> {
  const path = `${indexName(ctx)}/_search`;
  const { status, body } = await requestCluster<SearchResponse>(ctx, 'POST', path, request);
  if (status === 200) return body;
  ctx.log.warn({ status, body }, 'the search cluster rejected a search');
  throw searchErrors.unavailable();
}

/**
 * The ids of the oldest matching document of each group of twins; null if results are not collapsed, because the site has no
 * twins or because more match than the cluster returns.
 */
async function findOldestTwins(ctx: Context, request: FindRequest, mode: SearchMode): Promise<number[] | null> {
  if (!request.collapsesTwins || !(await hasTwins(ctx))) return null;
  const { hits } = await requestSearch(ctx, buildTwinRequest(request, mode));
  return hits.hits.length < MAX_TWIN_GROUPS ? hits.hits.map(({ _id }) => Number(_id)) : null;
}

async function hasTwins(ctx: Context): Promise<boolean> {
  const { rows } = await ctx.db.execute<{ exists: boolean }>(sql`select exists (select from document_twins)`);
  return rows[0]?.exists === true;
}

const listBuckets = (buckets: Buckets = []) =>
  Array.isArray(buckets) ? buckets : Object.entries(buckets).map(([key, counts]) => ({ key, ...counts }));

async function searchCluster(ctx: Context, request: FindRequest): Promise<FindResult> {
  const size = Math.max(request.limit, MAX_RANKED_TITLES);
  const search = async (mode: SearchMode) =>
    requestSearch(
      ctx,
      buildSearchRequest(request, { mode, size, oldestTwins: await findOldestTwins(ctx, request, mode) }),
    );
  const allWords = await search('all');
  const isRelaxed = request.query.words.length > 1 && allWords.aggregations.matched?.values.value === 0;
  const response = isRelaxed ? await search('some') : allWords;
  const facets = emptyFacets();
  for (const name of facetNames) {
    const buckets = [name, twinFacetName(name)].flatMap((each) =>
      listBuckets(response.aggregations[each]?.values.buckets),
    );
    for (const { key, doc_count, groups } of buckets) {
      const results = groups?.value ?? doc_count;
      if (results > 0) facets[name].set(String(key), (facets[name].get(String(key)) ?? 0) + results);
    }
  }
  const best = response.hits.hits.map(({ _id, _score }) => ({ id: Number(_id), score: _score ?? 0 }));
  const candidates = request.sort === 'default' ? await rankLiteralTitlesFirst(ctx, request.query, best) : best;
  return {
    candidates: candidates.slice(0, request.limit),
    total: response.aggregations.total?.values.value ?? 0,
    isRelaxed,
    facets,
  };
}

async function measureIndexSize(ctx: Context) {
  type IndexStats = { _all: { total: { store: { size_in_bytes: number } } } };
  const { status, body } = await requestCluster<IndexStats>(ctx, 'GET', `${indexName(ctx)}/_stats/store`);
  const size = status === 200 ? body._all.total.store.size_in_bytes : 0;
  return { ...(await countIndexedDocuments(ctx)), size };
}

/** Stores the index in a separate cluster; the indexing job sends every change. */
export const openSearchEngine: SearchEngine = {
  name: 'opensearch',
  identity: ensureIndexIdentity,
  find: searchCluster,
  put: indexEntries,
  refresh: updateMetadata,
  compact: async () => {},
  measure: measureIndexSize,
};
