import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import type { IndexEntry } from '../index/index-entry.ts';
import { countMetadata, storeMetadata } from '../index/store-metadata.ts';
import { rankTitles, TITLES } from '../query/rank-titles.ts';
import { searchErrors } from '../search.contract.ts';
import { emptyFacets, type FindRequest, type FindResult, facetNames, type SearchEngine } from '../search-engine.ts';
import { PLACES } from '../text/term-keys.ts';
import { ask, indexOf } from './opensearch-client.ts';
import { queryOf } from './opensearch-query.ts';

/** Few changes are to be seen at once; of many the cluster decides itself. */
const AT_ONCE = 8;

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
    },
  },
};

/** The number the cluster gave the index; of a new one it is another. */
async function identity(ctx: Context): Promise<string> {
  type Settings = Record<string, { settings: { index: { uuid: string } } }>;
  const read = () => ask<Settings>(ctx, 'GET', `${indexOf(ctx)}/_settings`);
  let { status, body } = await read();
  if (status === 404) {
    await ask(ctx, 'PUT', indexOf(ctx), mapping);
    ({ status, body } = await read());
  }
  return `opensearch ${Object.values(body)[0]?.settings.index.uuid}`;
}

type Facts = { id: string } & Record<string, unknown>;

async function factsOf(ctx: Context, ids: number[]): Promise<Facts[]> {
  const { rows } = await ctx.db.execute<Facts>(sql`
    select s.document_id::text as id, s.document_id::float8 as document_id, s.scope,
      s.user_id::float8 as user_id, s.ext, s.language, s.price, s.pages, s.size::float8 as size,
      (extract(epoch from s.created_at) * 1000)::float8 as created_at,
      s.categories::float8[] as categories, s.quality,
      d.score, d.view_count, d.download_count, d.favorite_count
    from search_documents s join documents d on d.id = s.document_id
    where s.document_id = any(${arrayText(ids)}::bigint[])`);
  return rows;
}

type BulkAnswer = { errors: boolean; items: Record<string, { status: number; error?: object }>[] };

async function bulk(ctx: Context, lines: object[], count: number): Promise<void> {
  if (lines.length === 0) return;
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const path = `${indexOf(ctx)}/_bulk?refresh=${count <= AT_ONCE}`;
  const { status, body } = await ask<BulkAnswer>(ctx, 'POST', path, text);
  // What is to be forgotten may be unknown already.
  const failed = body.items?.flatMap((item) => Object.values(item)).find((item) => item.error && item.status !== 404);
  if (status === 200 && !failed) return;
  throw new Error(`the search cluster did not take documents: ${status} ${JSON.stringify(failed)}`);
}

async function put(ctx: Context, entries: IndexEntry[]): Promise<() => void> {
  if (entries.length === 0) return () => {};
  await storeMetadata(ctx, entries);
  const termsOf = new Map(entries.map(({ id, terms }) => [String(id), terms]));
  const facts = await factsOf(
    ctx,
    entries.map(({ id }) => id),
  );
  const lines = facts.flatMap(({ id, ...fact }) => {
    const terms = [...(termsOf.get(id) ?? [])];
    const at = (place: number) => terms.filter(([, places]) => places & place).map(([key]) => key);
    const words = Object.entries(PLACES).map(([name, place]) => [name, at(place)]);
    return [{ index: { _id: id } }, { ...fact, ...Object.fromEntries(words) }];
  });
  await bulk(ctx, lines, entries.length);
  return () => {};
}

/** Those that are gone are forgotten there, too. */
async function refresh(ctx: Context, ids: number[]): Promise<void> {
  const facts = await factsOf(ctx, ids);
  const known = new Set(facts.map(({ id }) => id));
  const lines = [
    ...facts.flatMap(({ id, ...fact }) => [{ update: { _id: id } }, { doc: fact }]),
    ...ids.map(String).flatMap((id) => (known.has(id) ? [] : [{ delete: { _id: id } }])),
  ];
  await bulk(ctx, lines, ids.length);
}

type Bucket = { key: string | number; doc_count: number };
type Found = {
  hits: { total: { value: number }; hits: { _id: string; _score: number | null }[] };
  aggregations: Record<string, { values: { value?: number; buckets?: Bucket[] } }>;
};

async function find(ctx: Context, request: FindRequest): Promise<FindResult> {
  const size = Math.max(request.limit, TITLES);
  const search = async (mode: 'all' | 'some') => {
    const path = `${indexOf(ctx)}/_search`;
    const { status, body } = await ask<Found>(ctx, 'POST', path, queryOf(request, mode, size));
    if (status === 200) return body;
    ctx.log.warn({ status, body }, 'the search cluster refused a search');
    throw searchErrors.unavailable();
  };
  const whole = await search('all');
  const isRelaxed = request.query.words.length > 1 && whole.aggregations.matched?.values.value === 0;
  const found = isRelaxed ? await search('some') : whole;
  const facets = emptyFacets();
  for (const name of facetNames)
    for (const { key, doc_count } of found.aggregations[name]?.values.buckets ?? [])
      if (doc_count > 0) facets[name].set(String(key), doc_count);
  const best = found.hits.hits.map(({ _id, _score }) => ({ id: Number(_id), score: _score ?? 0 }));
  const candidates = request.sort === 'default' ? await rankTitles(ctx, request.query, best) : best;
  return {
    candidates: candidates.slice(0, request.limit),
    total: found.aggregations.total?.values.value ?? 0,
    isRelaxed,
    facets,
  };
}

async function measure(ctx: Context) {
  type Stats = { _all: { total: { store: { size_in_bytes: number } } } };
  const { status, body } = await ask<Stats>(ctx, 'GET', `${indexOf(ctx)}/_stats/store`);
  const size = status === 200 ? body._all.total.store.size_in_bytes : 0;
  return { ...(await countMetadata(ctx)), size };
}

/** A cluster of its own, told of every change by the job that takes up documents. */
export const openSearchEngine: SearchEngine = {
  name: 'opensearch',
  identity,
  find,
  put,
  refresh,
  tidy: async () => {},
  measure,
};
