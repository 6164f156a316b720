import { migrateToVersion01, migrationNamesOfVersion01 } from '#platform/server/db/migrate.ts';
import { emptySite } from './empty-site.ts';

export const HASH = 'ab'.repeat(32);
const ID = 'cd'.repeat(16);

/** The migrations after it prepare the upgrade. */
export const LAST_MIGRATION_OF_0_1 = '0175_suggested_words.sql';

const ROWS = `
  insert into users (username, password_hash, email) values ('旧用户', 'x', 'old@example.com'), ('已删除', 'x', '');
  delete from users where username = '已删除';
  insert into categories (title) values ('旧分类');
  insert into contents (hash, format, size, state, version, pages, ready_pages, ready_at)
    values ('${HASH}', 'pdf', 10, 'ready', 1, 3, 3, now());
  insert into documents (user_id, content_id, title, ext, size, format, status, published_at)
    values (1, 1, '旧文档', '.pdf', 10, 'pdf', 2, now());
  insert into document_categories (document_id, category_id) values (1, 1);
  insert into favorites (user_id, document_id, created_at) values (1, 1, now());
  insert into sign_ins (user_id, sign_at, award) values (1, 20260102, 3);
  insert into page_wishes (content_id, page) values (1, 2);
  insert into search_suggestions (text, folded, keys, scope, weight) values ('Word', 'word', '{7}', 0, 0);
  insert into download_days (who, day, count) values ('user:1', 20260102, 4);`;

/** Rows of the tables whose columns accept only certain values. */
const ROWS_OF_CHECKED_TABLES = `
  insert into users (username, password_hash) values ('被关注的用户', 'x');
  insert into follows (user_id, target_id, created_at) select 1, max(id), now() from users;
  insert into articles (identifier, title) values ('about', '关于');
  insert into attachments (hash, path, size) values ('${HASH}', 'path', 10);
  insert into removed_files (hash, removed_at) values ('${HASH}', now());
  insert into replaced_renditions (hash, format, version) values ('${HASH}', 'pdf', 1);
  insert into captchas (id, purpose, work_bits, expires_at) values (gen_random_uuid(), 'login', 10, now());
  insert into document_scores (document_id, user_id, score, created_at, updated_at) values (1, 1, 300, now(), now());
  insert into email_codes (purpose, email, user_id, code_hash, expires_at) values ('register', 'a@b.cn', 0, 'x', now());
  insert into friend_links (title, link) values ('友站', 'https://example.com');
  insert into ledger_events (key, reason) values ('key', 'reason');
  insert into ledger_entries (event_id, account, amount, "position", balance)
    select id, account, amount, "position", balance from ledger_events, (values ('user:1', 5, 1, 5),
      ('system:mint', -5, null, null)) entries (account, amount, "position", balance);
  update users set credit_count = 5 where id = 1;
  insert into mails (recipient, subject, text, html, status) values ('a@b.cn', '', '', '', 'sent');
  insert into notifications (user_id, kind, key, created_at) values (1, 'reply', 'key', now());
  insert into permissions (method, path, title) values ('GET', '/path', '权限');
  insert into roles (title) values ('旧角色');
  insert into role_permissions (role_id, permission_id) select r.id, p.id from roles r, permissions p limit 1;
  insert into search_segments (slots, blocks) values (1, 1);
  insert into search_blocks (segment, part, data) select id, 1, '1' from search_segments;
  insert into site_secrets (name) values ('secret');
  insert into sitemap_files (kind, part, urls, body) values ('document', 1, 1, '');
  insert into synonyms (words) values ('{文档,文件}');
  insert into upload_challenges (id, user_id, hash, name, nonce, ranges, expires_at)
    values ('${ID}', 1, '${HASH}', '文件', '${ID}', '[]', now());
  insert into uploads (id, user_id, name, size) values ('${ID}', 1, '文件', 10);`;

/** Inserts a row into each table that is empty after `version01Site`. */
export const ROWS_OF_EMPTY_TABLES = `
  begin;
  ${ROWS_OF_CHECKED_TABLES}
  do $$
  declare
    t record;
    is_empty boolean;
  begin
    for t in
      select c.table_name as name, string_agg(quote_ident(c.column_name), ', ') as columns,
             string_agg(case c.data_type when 'ARRAY' then quote_literal('{1}') when 'jsonb' then quote_literal('{}')
               when 'uuid' then 'gen_random_uuid()' when 'timestamp with time zone' then 'now()'
               else quote_literal('1') end, ', ') as values
      from information_schema.columns c
      join pg_tables p on p.schemaname = c.table_schema and p.tablename = c.table_name
      where c.table_schema = current_schema() and c.is_nullable = 'NO' and c.column_default is null
        and c.is_identity = 'NO' and c.is_generated = 'NEVER'
      group by c.table_name
    loop
      execute format('select not exists (select 1 from %I)', t.name) into is_empty;
      if is_empty then
        execute format('insert into %I (%s) values (%s)', t.name, t.columns, t.values);
      end if;
    end loop;
  end $$;
  commit;`;

/** A site whose database has the schema of version 0.1, up to a migration, with some rows. */
export async function version01Site(folder: string, lastMigration = LAST_MIGRATION_OF_0_1) {
  const site = await emptySite(folder, () => new Date());
  const names = await migrationNamesOfVersion01();
  const client = await site.pool.connect();
  try {
    await client.query('begin');
    await migrateToVersion01(client, names.slice(0, names.indexOf(lastMigration) + 1));
    await client.query(ROWS);
    await client.query('commit');
  } finally {
    client.release();
  }
  return site;
}
