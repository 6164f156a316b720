import { gt } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createDb, createPool } from './db.ts';
import { emptyDatabase } from './empty-database.fixture.ts';
import { countOrEstimate } from './list-query.ts';

const pool = createPool(await emptyDatabase(), createLog('error'));
afterAll(() => pool.end());
const db = createDb(pool);
const items = pgTable('items', { id: integer() });
await pool.query('create table items (id int); insert into items select generate_series(1, 500)');

test('countOrEstimate counts a table below the limit exactly, with and without a condition', async () => {
  expect(await countOrEstimate(db, items)).toBe(500);
  expect(await countOrEstimate(db, items, gt(items.id, 400))).toBe(100);
});

test('countOrEstimate estimates a whole table above the limit, and returns the limit plus one for a filtered part', async () => {
  await pool.query('analyze items');
  expect(await countOrEstimate(db, items, undefined, 100)).toBe(500);
  expect(await countOrEstimate(db, items, gt(items.id, 10), 100)).toBe(101);
});

test('countOrEstimate returns at least the counted rows for a table that was never analyzed', async () => {
  await pool.query('create table other_items (id int); insert into other_items select generate_series(1, 50)');
  const otherTable = pgTable('other_items', { id: integer() });
  expect(await countOrEstimate(db, otherTable, undefined, 10)).toBe(11);
});
