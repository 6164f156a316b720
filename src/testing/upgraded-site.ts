import type pg from 'pg';
import { expect } from 'vitest';
import { migrationNames } from '#platform/server/db/migrate.ts';
import { HASH } from './version-0-1-site.ts';

export const queryOne = async (pool: pg.Pool, sql: string) => (await pool.query(sql)).rows[0];

/** Columns, constraints, indexes, functions and triggers of the current schema. */
export async function catalogueOf(pool: pg.Pool) {
  const { rows } = await pool.query(`
    select table_name, column_name, ordinal_position, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = current_schema() order by 1, 3`);
  const definitions = await pool.query(`
    select pg_get_constraintdef(k.oid) as definition from pg_constraint k
      join pg_namespace n on n.oid = k.connamespace and n.nspname = current_schema()
    union all select indexdef from pg_indexes where schemaname = current_schema()
    union all select pg_get_functiondef(p.oid) from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = current_schema()
    union all select pg_get_triggerdef(t.oid) from pg_trigger t where not tgisinternal
    order by 1`);
  return { columns: rows, definitions: definitions.rows };
}

/** Expects the rows of `version01Site` under the current names, and an id counter that continues. */
export async function expectUpgraded(pool: pg.Pool) {
  const documentQuery = `select title, status, favorite_count, award_settled_at is not null as is_award_settled
    from documents where id = 1`;
  expect(await queryOne(pool, documentQuery)).toEqual({
    title: '旧文档',
    status: 2,
    favorite_count: 1,
    is_award_settled: true,
  });
  expect(await queryOne(pool, `select username, doc_count from users where id = 1`)).toEqual({
    username: '旧用户',
    doc_count: 1,
  });
  const renamedColumnsQuery = `select
    (select hash from renditions join documents d on d.rendition_id = renditions.id where d.id = 1) as hash,
    (select award::int from check_ins where user_id = 1 and sign_at = 20260102) as award,
    (select page from page_render_requests where rendition_id = 1) as page,
    (select text from search_suggestions where normalized = 'word') as suggestion,
    (select count from download_days where limit_key = 'user:1') as downloads,
    (select is_full from search_index_queue where document_id = 1) as is_full,
    (select count(*)::int from related_terms_queue where document_id = 1) as related_terms_queued`;
  expect(await queryOne(pool, renamedColumnsQuery)).toEqual({
    hash: HASH,
    award: 3,
    page: 2,
    suggestion: 'Word',
    downloads: 4,
    is_full: true,
    related_terms_queued: 1,
  });
  const user = `insert into users (username, password_hash) values ('新用户', 'x') returning id::int`;
  expect(await queryOne(pool, user)).toEqual({ id: 3 });
  const { rows } = await pool.query('select name from schema_migrations order by name');
  expect(rows.map(({ name }) => name)).toEqual(await migrationNames());
}
