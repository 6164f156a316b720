import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

type Clause = Record<string, unknown>;
type StoredDocument = Record<string, unknown>;
type Range = { lt?: number; lte?: number; gt?: number; gte?: number };

const toClauseList = (clauses: unknown) => (clauses ?? []) as Clause[];
const valuesOf = (document: StoredDocument, field: string) => [document[field]].flat() as number[];
const isWithinRange = (value: number, { lt, lte, gt, gte }: Range) =>
  (lt === undefined || value < lt) &&
  (lte === undefined || value <= lte) &&
  (gt === undefined || value > gt) &&
  (gte === undefined || value >= gte);

/** Evaluates the subset of the OpenSearch query language that this site uses. */
function matches(clause: Clause, document: StoredDocument): boolean {
  const [kind = '', body] = Object.entries(clause)[0] ?? [];
  const inner = body as Clause;
  if (kind === 'match_all') return true;
  if (kind === 'function_score') return matches(inner.query as Clause, document);
  if (kind === 'constant_score') return matches(inner.filter as Clause, document);
  if (kind === 'dis_max') return toClauseList(inner.queries).some((query) => matches(query, document));
  if (kind === 'bool') {
    const requiredClauses = [...toClauseList(inner.must), ...toClauseList(inner.filter)];
    const should = toClauseList(inner.should);
    return (
      requiredClauses.every((clause) => matches(clause, document)) &&
      !toClauseList(inner.must_not).some((excludedClause) => matches(excludedClause, document)) &&
      (should.length === 0 || should.some((optionalClause) => matches(optionalClause, document)))
    );
  }
  const [field = '', value] = Object.entries(inner)[0] ?? [];
  if (kind === 'term') return valuesOf(document, field).includes(value as number);
  if (kind === 'terms')
    return valuesOf(document, field).some((fieldValue) =>
      (value as unknown as number[]).includes(fieldValue as number),
    );
  if (kind === 'range')
    return valuesOf(document, field).some((fieldValue) => isWithinRange(fieldValue, value as Range));
  throw new Error(`unsupported query clause: ${kind}`);
}

type AggregationRange = { key: string; from?: number | string; to?: number | string };
const toNumber = (bound: number | string) => (typeof bound === 'string' ? Date.parse(bound) : bound);

/** Documents by the values of a `terms`, `range` or `date_range` aggregation. */
function divide(aggregation: Clause, documents: StoredDocument[]): Map<string | number, StoredDocument[]> {
  const { field = '', ranges } = (aggregation.terms ?? aggregation.range ?? aggregation.date_range) as {
    field?: string;
    ranges?: AggregationRange[];
  };
  const buckets = new Map<string | number, StoredDocument[]>();
  const add = (key: string | number, document: StoredDocument) =>
    buckets.set(key, [...(buckets.get(key) ?? []), document]);
  for (const document of documents)
    for (const value of valuesOf(document, field)) {
      if (!ranges) add(value, document);
      for (const { key, from, to } of ranges ?? [])
        if ((from === undefined || value >= toNumber(from)) && (to === undefined || value < toNumber(to)))
          add(key, document);
    }
  return buckets;
}

function aggregate(aggregation: Clause, documents: StoredDocument[]): Clause {
  if (aggregation.value_count) return { value: documents.length };
  const groupCount = aggregation.aggs as { groups: { cardinality: { field: string } } } | undefined;
  const countGroups = (inBucket: StoredDocument[], field: string) =>
    new Set(inBucket.flatMap((document) => valuesOf(document, field))).size;
  const countsOf = (inBucket: StoredDocument[]) => ({
    doc_count: inBucket.length,
    ...(groupCount && { groups: { value: countGroups(inBucket, groupCount.groups.cardinality.field) } }),
  });
  const { filters } = (aggregation.filters ?? {}) as { filters?: Record<string, Clause> };
  if (!filters)
    return { buckets: [...divide(aggregation, documents)].map(([key, inBucket]) => ({ key, ...countsOf(inBucket) })) };
  const countsByName = Object.entries(filters).map(([key, clause]) => [
    key,
    countsOf(documents.filter((document) => matches(clause, document))),
  ]);
  return { buckets: Object.fromEntries(countsByName) };
}

/** The document with the lowest id of each group. */
function collapse(hits: [string, StoredDocument][], field: string): [string, StoredDocument][] {
  const oldestFirst = hits.toSorted(([a], [b]) => Number(a) - Number(b));
  const first = new Map(oldestFirst.toReversed().map((hit) => [hit[1][field], hit]));
  return oldestFirst.filter((hit) => first.get(hit[1][field]) === hit);
}

type SearchBody = {
  query: Clause;
  post_filter?: Clause;
  collapse?: { field: string };
  aggs?: Record<string, { filter: Clause; aggs: { values: Clause } }>;
};

/**
 * An HTTP server with the OpenSearch endpoints that this site uses: stores documents in memory and returns unordered
 * matches.
 */
export function fakeOpenSearch() {
  const index = new Map<string, StoredDocument>();
  let indexExists = false;
  const bulk = (body: string) => {
    const lines = body.split('\n').filter(Boolean).values();
    for (const line of lines) {
      const [action = '', { _id }] = Object.entries(JSON.parse(line))[0] as [string, { _id: string }];
      if (action === 'delete') index.delete(_id);
      else {
        const body = JSON.parse(lines.next().value ?? '{}');
        index.set(_id, action === 'index' ? body : { ...index.get(_id), ...body.doc });
      }
    }
    return { errors: false, items: [] };
  };
  const search = (body: string) => {
    const { query, post_filter, collapse: collapseClause, aggs = {} } = JSON.parse(body) as SearchBody;
    const matchingDocuments = [...index].filter(([, document]) => matches(query, document));
    const filteredDocuments = post_filter
      ? matchingDocuments.filter(([, document]) => matches(post_filter, document))
      : matchingDocuments;
    const hits = collapseClause ? collapse(filteredDocuments, collapseClause.field) : filteredDocuments;
    const documents = matchingDocuments.map(([, document]) => document);
    const aggregations = Object.entries(aggs).map(
      ([
        name,
        {
          filter,
          aggs: { values },
        },
      ]) => {
        const countedDocuments = documents.filter((document) => matches(filter, document));
        return [name, { values: aggregate(values, countedDocuments) }];
      },
    );
    return {
      hits: { total: { value: hits.length }, hits: hits.map(([_id]) => ({ _id, _score: 1 })) },
      aggregations: Object.fromEntries(aggregations),
    };
  };
  return createServer(async (request, response) => {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', 'http://cluster');
    const send = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (request.method === 'PUT') indexExists = true;
    else if (!indexExists) return send(404, {});
    if (request.method === 'GET' && !pathname.includes('/_'))
      return send(200, { douku: { mappings: {}, settings: { index: { uuid: 'first' } } } });
    if (pathname.endsWith('/_bulk')) return send(200, bulk(body));
    if (pathname.endsWith('/_search')) return send(200, search(body));
    return send(200, { _all: { total: { store: { size_in_bytes: body.length } } } });
  });
}
