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
    const { query } = JSON.parse(body);
    const hits = [...index].filter(([, document]) => matches(query, document));
    const values = { value: hits.length };
    return {
      hits: { total: values, hits: hits.map(([_id]) => ({ _id, _score: 1 })) },
      aggregations: { total: { values }, matched: { values } },
    };
  };
  return createServer(async (request, response) => {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', 'http://cluster');
    const send = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (request.method === 'PUT') indexExists = true;
    else if (!indexExists) return send(404, {});
    if (pathname.endsWith('/_settings')) return send(200, { douku: { settings: { index: { uuid: 'first' } } } });
    if (pathname.endsWith('/_bulk')) return send(200, bulk(body));
    if (pathname.endsWith('/_search')) return send(200, search(body));
    return send(200, { _all: { total: { store: { size_in_bytes: body.length } } } });
  });
}
