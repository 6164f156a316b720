import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

type Clause = Record<string, unknown>;
type Kept = Record<string, unknown>;
type Range = { lt?: number; lte?: number; gt?: number; gte?: number };

const each = (clauses: unknown) => (clauses ?? []) as Clause[];
const valuesOf = (kept: Kept, field: string) => [kept[field]].flat() as number[];
const within = (value: number, { lt, lte, gt, gte }: Range) =>
  (lt === undefined || value < lt) &&
  (lte === undefined || value <= lte) &&
  (gt === undefined || value > gt) &&
  (gte === undefined || value >= gte);

/** Of the language of queries what ours are written in. */
function matches(clause: Clause, kept: Kept): boolean {
  const [kind = '', said] = Object.entries(clause)[0] ?? [];
  const inner = said as Clause;
  if (kind === 'function_score') return matches(inner.query as Clause, kept);
  if (kind === 'constant_score') return matches(inner.filter as Clause, kept);
  if (kind === 'dis_max') return each(inner.queries).some((one) => matches(one, kept));
  if (kind === 'bool') {
    const all = [...each(inner.must), ...each(inner.filter)];
    const should = each(inner.should);
    return (
      all.every((one) => matches(one, kept)) &&
      !each(inner.must_not).some((one) => matches(one, kept)) &&
      (should.length === 0 || should.some((one) => matches(one, kept)))
    );
  }
  const [field = '', value] = Object.entries(inner)[0] ?? [];
  if (kind === 'term') return valuesOf(kept, field).includes(value as number);
  if (kind === 'terms')
    return valuesOf(kept, field).some((one) => (value as unknown as number[]).includes(one as number));
  if (kind === 'range') return valuesOf(kept, field).some((one) => within(one, value as Range));
  throw new Error(`this cluster does not know ${kind}`);
}

/** A search cluster that keeps what it is told in memory and finds it by its words, in no order. */
export function smallCluster() {
  const index = new Map<string, Kept>();
  let isMade = false;
  const bulk = (body: string) => {
    const lines = body.split('\n').filter(Boolean).values();
    for (const line of lines) {
      const [action = '', { _id }] = Object.entries(JSON.parse(line))[0] as [string, { _id: string }];
      if (action === 'delete') index.delete(_id);
      else {
        const said = JSON.parse(lines.next().value ?? '{}');
        index.set(_id, action === 'index' ? said : { ...index.get(_id), ...said.doc });
      }
    }
    return { errors: false, items: [] };
  };
  const search = (body: string) => {
    const { query } = JSON.parse(body);
    const found = [...index].filter(([, kept]) => matches(query, kept));
    const values = { value: found.length };
    return {
      hits: { total: values, hits: found.map(([_id]) => ({ _id, _score: 1 })) },
      aggregations: { total: { values }, matched: { values } },
    };
  };
  return createServer(async (request, response) => {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '/', 'http://cluster');
    const send = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (request.method === 'PUT') isMade = true;
    else if (!isMade) return send(404, {});
    if (pathname.endsWith('/_settings')) return send(200, { douku: { settings: { index: { uuid: 'first' } } } });
    if (pathname.endsWith('/_bulk')) return send(200, bulk(body));
    if (pathname.endsWith('/_search')) return send(200, search(body));
    return send(200, { _all: { total: { store: { size_in_bytes: body.length } } } });
  });
}
