import { afterAll, expect, test, vi } from 'vitest';
import {
  addDocument,
  createCategoryChain,
  newUpload,
  newUploader,
  setConversionState,
} from '#modules/document/document.fixture.ts';
import type { DocumentEventType } from '#modules/document/document-events.ts';
import { addDocumentWithText, makeText } from '#modules/near-copy/near-copy.fixture.ts';
import { sketchDocuments } from '#modules/near-copy/sketch-documents.ts';
import { addRecognizedPage } from '#modules/recognition/recognition.fixture.ts';
import { indexKeywords } from '#modules/related/index-keywords.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { type EventSubject, events } from '#platform/server/events/event.table.ts';
import { testApp } from '#testing/test-app.ts';
import { eventConsumers } from './event-consumers.ts';

const { app, ctx, pool, as } = await testApp();
await setSetting(ctx, 'security.comment_interval', '0');
await setSetting(ctx, 'security.enable_captcha_comment', 'false');

afterAll(() => vi.restoreAllMocks());

type Headers = { authorization?: string };
const attempt = { signal: new AbortController().signal, attempt: 1 };
const root = await as.root();
const author = await newUploader(ctx);
const reader = await newMember(ctx, [await newRole(ctx, [], { enable_comment: true })]);
const [plants, animals] = [await createCategoryChain(ctx), await createCategoryChain(ctx)];

async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, headers: Headers, payload?: object) {
  const response = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  expect(response.statusCode, `${path} ${response.body}`).toBe(200);
  return response.json();
}

/** Every event type, so that a new one is missing in this test until a change causes it. */
const documentEventTypes: Record<DocumentEventType, true> = {
  created: true,
  'text-changed': true,
  changed: true,
  'file-changed': true,
  reviewed: true,
  categorized: true,
  recommended: true,
  'conversion-state-changed': true,
  converted: true,
  'pages-changed': true,
  'twins-changed': true,
  deleted: true,
  restored: true,
  erased: true,
};

/** Copies all recorded events to a table of this test, because a delivered event is deleted. */
await pool.query(`
  create schema copied;
  create table copied.events (position bigserial primary key, subject text, subject_id bigint, type text);
  create function copied.copy_event() returns trigger language plpgsql as $$
  begin
    insert into copied.events (subject, subject_id, type) values (new.subject, new.subject_id, new.type);
    return null;
  end $$;
  create trigger copy_event after insert on events for each row execute function copied.copy_event()`);

const countUndelivered = async () => (await ctx.db.select().from(events)).length;

/** Runs the jobs that consumers sent, until no event and no queued work is left. */
async function finishQueuedWork(): Promise<void> {
  for (let isWorkLeft = true; isWorkLeft; ) {
    await expect.poll(countUndelivered).toBe(0);
    const { rows: sketchJobs } = await pool.query(`delete from pgboss.job where name = $1 returning data`, [
      sketchDocuments.name,
    ]);
    for (const { data } of sketchJobs) await sketchDocuments.run(ctx, data, attempt);
    await indexKeywords.run(ctx, {}, attempt);
    const indexedCount = await indexQueuedDocuments(ctx);
    isWorkLeft = sketchJobs.length + indexedCount + (await countUndelivered()) > 0;
  }
}

const addText = async (title: string, text: string, category_id = plants) =>
  (await addDocumentWithText(ctx, author, text, { title, category_id })).id;

/** Changes documents, categories and renditions in every way that records an event. Returns the ids of visible documents. */
async function changeEverything(): Promise<number[]> {
  const text = `${makeText(600, 1)}蕨类植物图鉴，孢子，羊齿，苔藓，湿地，叶片`;
  const first = await addText('蕨类图鉴', text);
  const twin = await addText('蕨类图鉴（重排）', `${text}。`);
  const relatedId = await addText('苔藓与蕨类', `${makeText(600, 2)}蕨类植物，孢子，羊齿，苔藓，湿地，叶片`);
  const bird = await addText('水鸟手册', `${makeText(600, 3)}白鹭，苍鹭，湿地`, animals);
  for (const document_id of [first, bird]) {
    await send('POST', '/favorite', reader.headers, { document_id });
    await send('POST', '/comment', reader.headers, { document_id, content: '图很清楚。' });
  }
  await send('PUT', '/document', author.headers, { id: first, title: '蕨类植物图鉴' });
  await send('PUT', '/document', author.headers, { id: relatedId, price: 2 });
  await send('PUT', '/document/category', root, { document_id: [relatedId], category_id: [...plants, ...animals] });
  await send('PUT', '/category', root, { id: plants[0], title: '植物学' });
  await send('PUT', '/document/recommend', root, { id: [first], type: 1 });

  const disabledId = await addText('被禁用的图鉴', makeText(600, 4));
  await send('POST', '/comment', reader.headers, { document_id: disabledId, content: '还没看。' });
  await send('PUT', '/document/check', root, { id: [disabledId], status: 4, reason: '重复' });
  const [deletedId, restoredId, erasedId] = [
    await addText('删除的图鉴', makeText(600, 5)),
    await addText('恢复的图鉴', makeText(600, 6)),
    await addText('彻底删除的图鉴', makeText(600, 7)),
  ];
  for (const id of [deletedId, restoredId, erasedId]) await send('DELETE', `/document?id=${id}`, author.headers);
  await send('PUT', '/document/recycle', root, { id: [restoredId] });
  await send('DELETE', `/document/recycle?id=${erasedId}`, root);

  const { id: replacedId } = await addDocument(ctx, author, { title: '换过文件的图鉴', category_id: animals });
  await setConversionState(ctx, replacedId, 'failed', { reason: '文档已加密' });
  await send('PUT', '/document/file', author.headers, {
    id: replacedId,
    attachment_id: await newUpload(ctx, author.id),
  });
  const { id: scanId } = await addDocument(ctx, author, { title: '扫描的图鉴', category_id: animals });
  await setConversionState(ctx, scanId, 'readable', { view: 'pages', version: 1, pages: 2, ready_pages: 1 });
  await setConversionState(ctx, scanId, 'readable', { pages: 3 });
  await setConversionState(ctx, scanId, 'ready', { scanned_pages: 3 });
  await addRecognizedPage(ctx, scanId, 1, ['苍鹭栖息在湿地']);
  return [first, twin, relatedId, bird];
}

/** Documents that are indexed again get other places in the index; this test compares the hits instead. */
const INDEX_TABLES = ['search_segments', 'search_blocks', 'search_slots'];
const INDEX_TIME_COLUMN = 'indexed_at';

async function readTables(): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1) order by 1`,
    [INDEX_TABLES],
  );
  const rowsByTable: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(`select to_jsonb(t) - $1 as row from "${name}" t`, [INDEX_TIME_COLUMN]);
    rowsByTable[name] = rows.map(({ row }) => JSON.stringify(row)).sort();
  }
  const { rows: jobs } = await pool.query('select name, data from pgboss.job');
  return { ...rowsByTable, jobs: jobs.map((job) => JSON.stringify(job)).sort() };
}

/** What users see of the work of the consumers. */
async function readResponses(ids: readonly number[]) {
  const responses: Record<string, { total?: number; document?: object[] }> = {};
  for (const [name, headers] of [
    ['visitor', as.visitor],
    ['author', author.headers],
  ] as const) {
    const read = async (path: string) => {
      // The duration of a search differs.
      const { spend: _, ...response } = await send('GET', path, headers);
      responses[`${name} ${path}`] = response;
    };
    for (const word of ['图鉴', '湿地', '蕨类植物图鉴', '植物学', '苍鹭'])
      for (const collapse of ['true', 'false'])
        await read(`/document/search?wd=${encodeURIComponent(word)}&collapse_twins=${collapse}`);
    for (const id of ids) await read(`/document/related?id=${id}`);
    await read(`/user/dynamic?id=${reader.id}`);
    await read(`/user/dynamic?id=${author.id}`);
    if (name === 'author') await read('/notification/list');
  }
  return responses;
}

test('delivering all events a second time to the consumers of the site changes no row, search hit or response', async () => {
  const ids = await changeEverything();
  await finishQueuedWork();
  const { rows: copiedTypes } = await pool.query<{ subject: EventSubject; types: string[] }>(
    'select subject, array_agg(distinct type order by type) as types from copied.events group by subject order by subject',
  );
  expect(copiedTypes).toEqual([
    { subject: 'category', types: expect.any(Array) },
    { subject: 'document', types: Object.keys(documentEventTypes).sort() },
    { subject: 'rendition', types: expect.any(Array) },
  ]);
  // Requests write rows, too, for example those of the search history.
  const responsesBefore = await readResponses(ids);
  const tablesBefore = await readTables();
  const filledTables = Object.keys(tablesBefore).filter((name) => tablesBefore[name]?.length);
  expect(filledTables).toEqual(
    expect.arrayContaining([
      'activities',
      'document_twins',
      'near_copy_sketches',
      'notifications',
      'recognition_tasks',
      'related_terms',
      'search_documents',
    ]),
  );
  const emptyResponses = Object.entries(responsesBefore).filter(
    ([, { total, document }]) => total === 0 || document?.length === 0,
  );
  expect(emptyResponses.map(([path]) => path)).toEqual([]);

  const consumers = eventConsumers.map((consumer) => vi.spyOn(consumer, 'handle'));
  await pool.query(`
    alter table events disable trigger copy_event;
    insert into events (subject, subject_id, type) select subject, subject_id, type from copied.events order by position`);
  await finishQueuedWork();
  for (const handle of consumers) expect(handle).toHaveBeenCalled();
  expect(await readTables()).toEqual(tablesBefore);
  expect(await readResponses(ids)).toEqual(responsesBefore);
});
