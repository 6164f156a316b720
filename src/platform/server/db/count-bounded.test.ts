import { gt } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createDb, createPool } from './db.ts';
import { emptyDatabase } from './empty-database.fixture.ts';
import { countBounded } from './list-query.ts';

const pool = createPool(await emptyDatabase(), createLog('error'));
afterAll(() => pool.end());
const db = createDb(pool);
const things = pgTable('things', { id: integer() });
await pool.query('create table things (id int); insert into things select generate_series(1, 500)');

test('a small table is counted exactly, also with a condition', async () => {
  expect(await countBounded(db, things)).toBe(500);
  expect(await countBounded(db, things, gt(things.id, 400))).toBe(100);
});

test('beyond the bound the whole table is estimated, and a part of it is told as more than the bound', async () => {
  await pool.query('analyze things');
  expect(await countBounded(db, things, undefined, 100)).toBe(500);
  expect(await countBounded(db, things, gt(things.id, 10), 100)).toBe(101);
});

test('of a table the database has not looked at yet, no less is told than was seen', async () => {
  await pool.query('create table others (id int); insert into others select generate_series(1, 50)');
  const others = pgTable('others', { id: integer() });
  expect(await countBounded(db, others, undefined, 10)).toBe(11);
});
