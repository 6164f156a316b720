import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { propertyRuns } from '#testing/test-tier.ts';
import { publishText } from '../search.fixture.ts';
import { FIELDS, type Terms } from '../text/term-keys.ts';
import { mergeSegments } from './merge-segments.ts';
import { postgresEngine } from './postgres-engine.ts';
import { forEachPosting, iterateBlockKeys, LONG_LIST_ROW } from './posting-codec.ts';

const { ctx } = await testApp();
const DOCUMENT_COUNT = 12;
const documentIds: number[] = [];
for (let at = 0; at < DOCUMENT_COUNT; at += 1)
  documentIds.push(await publishText(ctx, { title: `文档 ${at}`, pages: ['x'] }));

type IndexContent = Record<string, [key: number, fields: number][]>;
const sortTerms = (terms: Terms) => [...terms].sort(([a], [b]) => a - b);

/** The terms of each document, decoded from the tables of the index. */
async function readIndex(): Promise<IndexContent> {
  const { rows: slots } = await ctx.db.execute<{ id: string; segment: number; slot: number }>(
    sql`select document_id as id, segment, slot from search_slots`,
  );
  const { rows: blocks } = await ctx.db.execute<{
    segment: number;
    part: string;
    data: Buffer;
    size: number;
    n: number;
  }>(
    sql`select b.segment, b.part, b.data, s.slots as size, s.blocks as n
        from search_blocks b join search_segments s on s.id = b.segment where s.retired_at is null`,
  );
  const idOfSlot = new Map(slots.map(({ id, segment, slot }) => [`${segment} ${slot}`, id]));
  const terms = new Map<string, Terms>(slots.map(({ id }) => [id, new Map()]));
  for (const { segment, part, data, size, n } of blocks) {
    const collect = (key: number, at: number) =>
      forEachPosting(data, { slots: size, at }, (slot, field) => {
        const ofDocument = terms.get(idOfSlot.get(`${segment} ${slot}`) ?? '');
        ofDocument?.set(key, (ofDocument.get(key) ?? 0) | (1 << field));
      });
    if (Number(part) >= LONG_LIST_ROW) collect(Number(part) - LONG_LIST_ROW, 0);
    else for (const { key, at } of iterateBlockKeys(data, Number(part) * (2 ** 32 / n))) if (at >= 0) collect(key, at);
  }
  return Object.fromEntries([...terms].map(([id, ofDocument]) => [id, sortTerms(ofDocument)]));
}

const putBatch = async (ctx: Context, batch: Map<number, Terms>) => {
  const entries = [...batch].map(([id, terms]) => ({ id, title: '文档', terms, textSize: 1 }));
  (await inTransaction(ctx, (ctx) => postgresEngine.put(ctx, entries)))();
};

const term = fc.tuple(
  fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1)),
  fc.constantFrom(0, FIELDS.often, FIELDS.keyword, FIELDS.title, FIELDS.keyword | FIELDS.title),
);
const terms = fc
  .array(term, { minLength: 1, maxLength: 30 })
  .map((pairs): Terms => new Map(pairs.map(([key, fields]) => [key, fields | FIELDS.any])));
const batch = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...documentIds), terms), { selector: ([id]) => id, minLength: 1, maxLength: 4 })
  .map((entries) => new Map(entries));

/** A context whose database connection breaks before the statement with this number. */
function breakAtStatement(ctx: Context, number: number): Context {
  let statementCount = 0;
  const wrap = <T extends object>(db: T): T =>
    new Proxy(db, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]) => {
          if (name === 'transaction') {
            const [work, ...options] = parameters as [(db: object) => unknown];
            return Reflect.apply(value, target, [(db: object) => work(wrap(db)), ...options]);
          }
          if (name === 'execute') statementCount += 1;
          if (name === 'execute' && statementCount >= number) throw new Error('connection lost');
          return Reflect.apply(value, target, parameters);
        };
      },
    });
  return { ...ctx, db: wrap(ctx.db) };
}

const MERGE_FACTOR = 16;
const countSegments = async () => {
  const { rows } = await ctx.db.execute<{ total: number }>(
    sql`select count(*)::int as total from search_segments where retired_at is null`,
  );
  return rows[0]?.total ?? 0;
};

beforeEach(async () => {
  await ctx.db.execute(sql`delete from search_slots`);
  await ctx.db.execute(sql`delete from search_segments`);
});

test('after random batches and merges the index has exactly the last terms of each document', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 40 }), async (batches) => {
      await ctx.db.execute(sql`delete from search_slots`);
      await ctx.db.execute(sql`delete from search_segments`);
      const expectedTerms = new Map<number, Terms>();
      for (const each of batches) {
        await putBatch(ctx, each);
        for (const [id, terms] of each) expectedTerms.set(id, terms);
      }
      const expectedIndex = Object.fromEntries([...expectedTerms].map(([id, terms]) => [id, sortTerms(terms)]));
      expect(await readIndex()).toEqual(expectedIndex);
      await mergeSegments(ctx);
      expect(await readIndex()).toEqual(expectedIndex);
      expect(await countSegments()).toBeLessThan(2 * MERGE_FACTOR);
    }),
    propertyRuns({ quick: 6, full: 60 }),
  );
});

test('a batch that breaks at any statement leaves the index as it was, and succeeds when it is repeated', async () => {
  const [firstId = 0, secondId = 0] = documentIds;
  const before = new Map([[firstId, new Map([[5, FIELDS.any]])]]);
  const after = new Map([
    [firstId, new Map([[6, FIELDS.any]])],
    [secondId, new Map([[7, FIELDS.any | FIELDS.title]])],
  ]);
  await putBatch(ctx, before);
  const indexBefore = await readIndex();
  let isComplete = false;
  let number = 1;
  for (; !isComplete; number += 1) {
    isComplete = await putBatch(breakAtStatement(ctx, number), after).then(
      () => true,
      (error: Error) => {
        expect(String(error.cause ?? error)).toContain('connection lost');
        return false;
      },
    );
    if (!isComplete) expect(await readIndex()).toEqual(indexBefore);
  }
  expect(number).toBeGreaterThan(5);
  expect(await readIndex()).toEqual({ [firstId]: [[6, FIELDS.any]], [secondId]: [[7, FIELDS.any | FIELDS.title]] });
});

test('a merge that breaks at a statement changes nothing that a search reads, and succeeds when it is repeated', async () => {
  for (let at = 0; at < MERGE_FACTOR; at += 1) {
    const id = documentIds[at % DOCUMENT_COUNT] ?? 0;
    await putBatch(ctx, new Map([[id, new Map([[1_000 + at, FIELDS.any]])]]));
  }
  const indexBefore = await readIndex();
  let failureCount = 0;
  // Every early statement, then ever fewer of the about 1,100 statements that read and write the ranges of keys.
  for (let number = 1; (await countSegments()) >= MERGE_FACTOR; number = Math.ceil(number * 1.5)) {
    await mergeSegments(breakAtStatement(ctx, number)).catch((error: Error) => {
      expect(String(error.cause ?? error)).toContain('connection lost');
      failureCount += 1;
    });
    expect(await readIndex()).toEqual(indexBefore);
  }
  expect(failureCount).toBeGreaterThan(5);
  expect(await readIndex()).toEqual(indexBefore);
});
