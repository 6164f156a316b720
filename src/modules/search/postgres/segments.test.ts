import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { amountForTier, propertyRuns } from '#testing/test-tier.ts';
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

type Statement = 'read' | 'write';
const dialect = new PgDialect();
const kindOf = (query: SQL): Statement =>
  /^\s*(insert|update|delete)\b|pg_notify/.test(dialect.sqlToQuery(query).sql) ? 'write' : 'read';

/** A context that calls `onStatement` before each statement, and before the commit of a transaction, which is a write. */
function observeStatements(ctx: Context, onStatement: (statement: Statement) => void): Context {
  const wrap = <T extends object>(db: T): T =>
    new Proxy(db, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...parameters: unknown[]) => {
          if (name === 'transaction') {
            const [work, ...options] = parameters as [(db: object) => Promise<unknown>];
            const observedWork = async (db: object) => {
              const output = await work(wrap(db));
              onStatement('write');
              return output;
            };
            return Reflect.apply(value, target, [observedWork, ...options]);
          }
          if (name === 'execute') onStatement(kindOf(parameters[0] as SQL));
          return Reflect.apply(value, target, parameters);
        };
      },
    });
  return { ...ctx, db: wrap(ctx.db) };
}

/** A context whose database connection breaks before the statement with this number. */
function breakAtStatement(ctx: Context, number: number): Context {
  let statementCount = 0;
  return observeStatements(ctx, () => {
    statementCount += 1;
    if (statementCount >= number) throw new Error('connection lost');
  });
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

/** Fills the index with as many segments as a merge replaces, and with a retired one that it deletes. */
async function fillIndex(): Promise<void> {
  await ctx.db.execute(sql`delete from search_slots`);
  await ctx.db.execute(sql`delete from search_segments`);
  await ctx.db.execute(sql`
    insert into search_segments (slots, blocks, retired_at) values (1, 1, now() - interval '1 hour')`);
  for (let at = 0; at < MERGE_FACTOR; at += 1) {
    const id = documentIds[at % DOCUMENT_COUNT] ?? 0;
    // In the first and the last range of keys.
    const key = at % 2 === 0 ? at : 2 ** 32 - 1 - at;
    await putBatch(ctx, new Map([[id, new Map([[key, FIELDS.any]])]]));
  }
}

/** Numbers of the statements of a merge. Most of them read the keys of one range from one segment. */
async function listMergeStatements(): Promise<Record<Statement, number[]>> {
  await fillIndex();
  const numbers: Record<Statement, number[]> = { read: [], write: [] };
  let statementCount = 0;
  const observedContext = observeStatements(ctx, (statement) => {
    statementCount += 1;
    numbers[statement].push(statementCount);
  });
  await mergeSegments(observedContext);
  return numbers;
}

async function expectMergeSurvivesBreaks(numbers: number[]): Promise<void> {
  await fillIndex();
  const indexBefore = await readIndex();
  for (const number of numbers) {
    await expect(mergeSegments(breakAtStatement(ctx, number))).rejects.toThrow();
    expect(await readIndex()).toEqual(indexBefore);
    if ((await countSegments()) >= MERGE_FACTOR) continue;
    // The merge itself was complete.
    await mergeSegments(ctx);
    expect(await readIndex()).toEqual(indexBefore);
    await fillIndex();
  }
  await mergeSegments(ctx);
  expect(await countSegments()).toBeLessThan(MERGE_FACTOR);
  expect(await readIndex()).toEqual(indexBefore);
}

test('a merge that breaks at any statement that writes changes nothing that a search reads, and succeeds when it is repeated', async () => {
  const { write: writes } = await listMergeStatements();
  // At least the new segment, two blocks, the slots, the old segments and the deletion of retired ones.
  expect(writes.length).toBeGreaterThanOrEqual(6);
  await expectMergeSurvivesBreaks(writes);
});

const PARTS = amountForTier({ quick: 1, full: 8 });
test.each(Array.from({ length: PARTS }, (_, part) => part))(
  'a merge that breaks at a statement that reads (part %i) changes nothing that a search reads, and succeeds when it is repeated',
  async (part) => {
    const { read: reads } = await listMergeStatements();
    expect(reads.length).toBeGreaterThan(1_000);
    const numbers = reads.slice(0, amountForTier({ quick: 5, full: reads.length }));
    await expectMergeSurvivesBreaks(numbers.filter((_, index) => index % PARTS === part));
  },
);
