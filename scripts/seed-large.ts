/**
 * `npm run seed:large -- --data <folder>`: creates a site with 100,000 documents, 50,000 users and 500,000 comments for
 * benches. The documents share the text and pages of a few demo documents. A run that was interrupted continues.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { addDocuments, waitForConversions } from '#app/demo/add-documents.ts';
import { readDemoDocuments } from '#app/demo/read-demo-documents.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { withTemporarySite } from './temporary-site.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (!values.data) throw new Error('--data <folder> is missing');
const BATCH_SIZE = 10_000;

/** In the statements `n` is the row number, and `r(k)` a pseudo-random number between 0 and 1 for each k. */
const tableSeeds: { table: string; total: number; insert: string }[] = [
  {
    table: 'users',
    total: 50_000,
    insert: `insert into users (username, password_hash, email, signature, created_at)
      select 'reader' || n, '!', 'reader' || n || '@large.example', '第 ' || n || ' 位读者',
        now() - r(1) * interval '3 years' from numbers on conflict do nothing`,
  },
  {
    table: 'documents',
    total: 100_000,
    insert: `insert into documents (user_id, rendition_id, title, keywords, description, ext, size, price,
        language, conversion_state, view_count, download_count, format, recommend_at, created_at, published_at)
      select u.id, c.id, w.title || '（第 ' || n || ' 号）', w.keywords, w.description, w.ext, c.size,
        case when n % 5 = 0 then 1 + n % 20 else 0 end, 'zh', 'converted', (1 / (r(2) + 0.0005))::int,
        (r(3) * 40)::int, c.format, case when n % 500 = 0 then now() - r(4) * interval '1 year' end,
        now() - r(5) * interval '3 years', now() - r(5) * interval '3 years'
      from numbers
      join lateral (select * from source_documents where at = 1 + n % (select count(*) from source_documents)) w on true
      join renditions c on c.id = w.rendition_id
      join lateral (select id from numbered_users where at = 1 + (r(6) ^ 2 * 49999)::int) u on true`,
  },
  {
    table: 'document_categories',
    total: 0,
    insert: `insert into document_categories (document_id, category_id)
      select d.id, c.id from (select id, row_number() over (order by id) n from documents) d
      join lateral (select id, parent_id from (
        select id, parent_id, row_number() over (order by id) - 1 as at, count(*) over () as total
        from categories where parent_id is not null) c where at = d.n % total) leaf on true
      join categories c on c.id in (leaf.id, leaf.parent_id)
      on conflict do nothing`,
  },
  {
    table: 'comments',
    total: 500_000,
    insert: `insert into comments (document_id, user_id, content, status, created_at, published_at)
      select d.id, u.id, '第 ' || n || ' 条：' || (array['写得清楚','正好需要','有一处想请教','收藏了',
          '第三页的图很有用','比书上讲得明白'])[1 + n % 6],
        case when n % 1000 = 0 then 0 else 1 end, now() - r(7) * interval '2 years',
        case when n % 1000 = 0 then null else now() - r(7) * interval '2 years' end
      from numbers
      join lateral (select id from numbered_documents where at = 1 + (r(8) ^ 3 * 99999)::int) d on true
      join lateral (select id from numbered_users where at = 1 + (r(9) * 49999)::int) u on true`,
  },
  {
    table: 'favorites',
    total: 200_000,
    insert: `insert into favorites (user_id, document_id, created_at)
      select u.id, d.id, now() - r(10) * interval '2 years' from numbers
      join lateral (select id from numbered_documents where at = 1 + (r(11) ^ 2 * 99999)::int) d on true
      join lateral (select id from numbered_users where at = 1 + (r(12) ^ 2 * 49999)::int) u on true
      on conflict do nothing`,
  },
  {
    table: 'document_scores',
    total: 200_000,
    insert: `insert into document_scores (document_id, user_id, score, created_at, updated_at)
      select distinct on (d.id, u.id) d.id, u.id, 100 * (1 + n % 5), now(), now() from numbers
      join lateral (select id from numbered_documents where at = 1 + (r(13) ^ 2 * 99999)::int) d on true
      join lateral (select id from numbered_users where at = 1 + (r(14) * 49999)::int) u on true
      on conflict do nothing`,
  },
  {
    table: 'follows',
    total: 200_000,
    insert: `insert into follows (user_id, target_id, created_at)
      select a.id, b.id, now() - r(15) * interval '2 years' from numbers
      join lateral (select id from numbered_users where at = 1 + (r(16) * 49999)::int) a on true
      join lateral (select id from numbered_users where at = 1 + (r(17) ^ 3 * 49999)::int) b on a.id <> b.id
      on conflict do nothing`,
  },
  {
    table: 'activities',
    total: 500_000,
    insert: `insert into activities (user_id, type, payload, created_at)
      select u.id, 1, '{"award": 10}', now() - r(18) * interval '2 years' from numbers
      join lateral (select id from numbered_users where at = 1 + (r(19) ^ 2 * 49999)::int) u on true`,
  },
  {
    table: 'downloads',
    total: 200_000,
    insert: `insert into downloads (user_id, document_id, ip, price, created_at)
      select u.id, d.id, '', 0, now() - r(20) * interval '2 years' from numbers
      join lateral (select id from numbered_documents where at = 1 + (r(21) * 99999)::int) d on true
      join lateral (select id from numbered_users where at = 1 + (r(22) ^ 2 * 49999)::int) u on true`,
  },
  {
    table: 'reports',
    total: 5_000,
    insert: `insert into reports (document_id, document_title, user_id, reason, status, handled_at, created_at)
      select d.id, d.title, u.id, 1 + n % 6, n % 10 > 0,
        case when n % 10 > 0 then now() end, now() - r(23) * interval '1 year' from numbers
      join lateral (select s.id, s.title from numbered_documents s where at = 1 + (r(24) * 99999)::int) d on true
      join lateral (select id from numbered_users where at = 1 + (r(25) * 49999)::int) u on true
      on conflict do nothing`,
  },
  {
    table: 'search_records',
    total: 300_000,
    insert: `insert into search_records (user_id, ip, user_agent, keywords, total, page, spend_time, created_at)
      select null, '', '', (array['数据库','合同','总结','高等数学','论语','索引','简历','菜园'])[1 + n % 8]
        || case when n % 3 = 0 then (n % 5000)::text else '' end,
        case when n % 7 = 0 then 0 else n % 900 end, 1, 0.01 + r(36) * 0.1, now() - r(26) * interval '1 year'
      from numbers`,
  },
  {
    table: 'audit_logs',
    total: 100_000,
    insert: `insert into audit_logs (user_id, username, action, target, created_at)
      select 1, 'admin', '修改文档', '文档 ' || n, now() - r(27) * interval '1 year' from numbers`,
  },
  {
    table: 'mails',
    total: 50_000,
    insert: `insert into mails (recipient, subject, text, html, status, created_at)
      select 'reader' || n || '@large.example', '您有新的消息', '消息', '<p>消息</p>', 'sent',
        now() - r(28) * interval '1 year' from numbers`,
  },
  // Every tenth row belongs to the administrator, who sends the requests of the bench.
  {
    table: 'notifications',
    total: 300_000,
    insert: `insert into notifications (user_id, kind, key, actor_id, payload, read_at, created_at)
      select case when n % 10 = 0 then 1 else b.id end, 'follow', 'large ' || n, a.id, '{}',
        case when n % 3 > 0 then now() end, now() - r(29) * interval '1 year' from numbers
      join lateral (select id from numbered_users where at = 1 + (r(30) * 49999)::int) a on true
      join lateral (select id from numbered_users where at = 1 + (r(31) ^ 2 * 49999)::int) b on true`,
  },
  {
    table: 'reading_positions',
    total: 200_000,
    insert: `insert into reading_positions (user_id, document_id, page, "offset", progress, read_at)
      select case when n % 10 = 0 then 1 else u.id end, d.id, 1, 0, n % 101,
        now() - r(32) * interval '1 year' from numbers
      join lateral (select id from numbered_documents where at = 1 + (r(33) * 99999)::int) d on true
      join lateral (select id from numbered_users where at = 1 + (r(34) ^ 2 * 49999)::int) u on true
      on conflict do nothing`,
  },
  {
    table: 'favorite_folders',
    total: 20_000,
    insert: `insert into favorite_folders (user_id, title, is_public)
      select u.id, '第 ' || n || ' 个文辑', n % 2 = 0 from numbers
      join lateral (select id from numbered_users where at = 1 + (r(35) * 49999)::int) u on true`,
  },
  {
    table: 'friend_links',
    total: 30,
    insert: `insert into friend_links (title, link)
      select '第 ' || n || ' 个朋友', 'https://friend' || n || '.example/' from numbers`,
  },
  {
    table: 'banners',
    total: 5,
    insert: `insert into banners (title, path) select '第 ' || n || ' 幅', '/large.webp' from numbers`,
  },
];

const countRows = async (client: pg.PoolClient, table: string): Promise<number> =>
  Number((await client.query(`select count(*) as total from ${table}`)).rows[0].total);

async function seedTables(client: pg.PoolClient) {
  await client.query(`set statement_timeout = 0; set synchronous_commit = off;
    create or replace function pg_temp.pseudo_random(n bigint, k int) returns float8 language sql immutable as
      $$ select (hashint8extended(n, k) & 1048575) / 1048576.0 $$`);
  await client.query(`create temp table source_documents as
    select row_number() over (order by id) as at, * from documents where status = 2 and user_id in
      (select id from users where email like '%@demo.example') and title not like '%号）'`);
  for (const { table, total, insert } of tableSeeds) {
    // Numbered rows, so that a random number selects a row.
    await client.query(`drop table if exists numbered_users, numbered_documents;
      create temp table numbered_users as select row_number() over (order by id) as at, id from users
        where username like 'reader%';
      create temp table numbered_documents as select row_number() over (order by id) as at, id, title from documents;
      create index on numbered_users (at); create index on numbered_documents (at); analyze numbered_users; analyze numbered_documents`);
    const startedAt = performance.now();
    const existingCount = await countRows(client, table);
    if (total === 0 && existingCount < BATCH_SIZE) await client.query(insert);
    // Statements with `on conflict` insert fewer rows.
    const expectedCount = insert.includes('on conflict') ? total * 0.95 : total;
    const firstMissing = existingCount >= expectedCount ? total : Math.floor(existingCount / BATCH_SIZE) * BATCH_SIZE;
    for (let from = firstMissing; from < total; from += BATCH_SIZE) {
      const statement = insert.replace(/\br\((\d+)\)/g, 'pg_temp.pseudo_random(n, $1)');
      const numbers = `with numbers as (select n from generate_series(${from + 1}::bigint, ${Math.min(from + BATCH_SIZE, total)}) n)`;
      await client.query(`${numbers} ${statement}`);
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${table}: ${await countRows(client, table)} rows, ${seconds} s`);
  }
  await client.query(`insert into events (subject, subject_id, type)
    select 'document', id, 'created' from documents where title like '%号）' order by id`);
  await client.query('vacuum analyze');
}

await withTemporarySite(path.resolve(values.data), { runJobs: true }, async ({ ctx, pool, password }) => {
  if (password) console.log(`admin ${password}`);
  // The bench cannot solve the picture captcha.
  await setSetting(ctx, 'security.enable_captcha_login', 'false');
  const samples = readDemoDocuments().filter(({ extension }) => ['txt', 'epub', 'csv', 'xlsx'].includes(extension));
  await addDocuments(ctx, samples, console.log);
  await waitForConversions(ctx, samples, console.log);
  const client = await pool.connect();
  try {
    await seedTables(client);
  } finally {
    client.release();
  }
});
