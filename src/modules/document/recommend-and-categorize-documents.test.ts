import { describe, expect, test } from 'vitest';
import { auditLogs } from '#modules/audit/audit.table.ts';
import { newStaff } from '#modules/role/role.fixture.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import {
  addDocument,
  changeDocument,
  createCategoryChain,
  newUploader,
  pdfOf,
  readDocumentCounts,
  setConversionState,
} from './document.fixture.ts';
import { reconvertFailed } from './reconvert-documents.ts';

const { app, ctx, as, pool } = await testApp();
const root = await as.root();
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
type Headers = { authorization?: string };

const put = (path: string, payload: object, headers: Headers = root) =>
  app.inject({ method: 'PUT', url: `/api/v1${path}`, headers, payload });
const get = async (id: number, headers: Headers = root) =>
  (await app.inject({ url: `/api/v1/document?id=${id}`, headers })).json();
const add = (fields: object = {}) => addDocument(ctx, owner, { category_id, ...fields });
const codeOf = async (answer: ReturnType<typeof put>) => (await answer).json().code;

describe('a review decision', () => {
  test('applies to all given documents or to none', async () => {
    const [{ id: first }, { id: second }] = [await add(), await add()];
    expect(await codeOf(put('/document/check', { id: [first, 999_999], status: 4 }))).toBe('document.notFound');
    expect((await get(first)).status).toBe(0);
    expect((await put('/document/check', { id: [second, first], status: 4, reason: '侵权' })).statusCode).toBe(200);
    for (const id of [first, second])
      expect(await get(id, owner.headers)).toMatchObject({ status: 4, reject_reason: '侵权' });
  });

  test('to enable publishes documents with the status of their files', async () => {
    const [{ id: readyId }, { id: failedId }, { id: waitingId }] = [await add(), await add(), await add()];
    await put('/document/check', { id: [readyId, failedId, waitingId], status: 4 });
    await setConversionState(ctx, readyId);
    await setConversionState(ctx, failedId, 'failed', { reason: '文件损坏' });
    expect((await get(readyId)).status).toBe(4);
    await put('/document/check', { id: [readyId, failedId, waitingId], status: 2 });
    expect([(await get(readyId)).status, (await get(failedId)).status, (await get(waitingId)).status]).toEqual([
      2, 3, 0,
    ]);
  });

  test.each([1, 3, 5, 8, -1])('cannot set the status %i', async (status) => {
    const { id } = await add();
    expect(await codeOf(put('/document/check', { id: [id], status }))).toBe('http.invalidInput');
  });

  test('is recorded in the audit log with its reason', async () => {
    const { id } = await add({ title: '要拒绝的' });
    await put('/document/check', { id: [id], status: 7, reason: '与分类不符' });
    const log = (await ctx.db.select().from(auditLogs).orderBy(auditLogs.id)).at(-1);
    expect(log).toMatchObject({
      action: '文档审核',
      target: `文档 ${id} 要拒绝的`,
      after: { status: '审核拒绝', reason: '与分类不符' },
    });
  });
});

test('owners are notified only of review decisions that change the status', async () => {
  const [{ id: publishedId }, { id: disabledId }] = [await add(), await add()];
  const decisionsSentFor = async (id: number) => {
    const { rows } = await ctx.db.execute<{ decision: string }>(
      `select payload->>'decision' as decision from notifications
       where payload->'document'->>'id' = '${id}' order by id`,
    );
    return rows.map(({ decision }) => decision);
  };
  await put('/document/check', { id: [disabledId], status: 4 });
  await put('/document/check', { id: [publishedId, disabledId], status: 0 });
  expect([await decisionsSentFor(publishedId), await decisionsSentFor(disabledId)]).toEqual([[], ['已被禁用']]);
  expect([(await get(publishedId)).status, (await get(disabledId)).status]).toEqual([0, 4]);
  await put('/document/check', { id: [publishedId, disabledId], status: 2 });
  expect([await decisionsSentFor(publishedId), await decisionsSentFor(disabledId)]).toEqual([
    [],
    ['已被禁用', '已重新启用'],
  ]);
});

describe('re-conversion', () => {
  test('sets given failed documents to 重新转换 and other documents of the same file to 待转换', async () => {
    const bytes = pdfOf();
    const [{ id }, { id: sameFileId }] = [await add({ bytes }), await add({ bytes })];
    await setConversionState(ctx, id, 'failed');
    expect((await put('/document/reconvert', { id: [id] })).statusCode).toBe(200);
    await waitForEventDelivery(ctx);
    expect([(await get(id)).status, (await get(sameFileId)).status]).toEqual([5, 0]);
    await setConversionState(ctx, id, 'converting');
    await setConversionState(ctx, id, 'ready');
    expect([(await get(id)).status, (await get(sameFileId)).status]).toEqual([2, 2]);
  });

  test('keeps readable documents readable while it runs and when it fails', async () => {
    const bytes = pdfOf();
    const [{ id }, { id: sameFileId }] = [await add({ bytes }), await add({ bytes })];
    const readStates = async () =>
      [await get(id), await get(sameFileId)].map(({ status, ready_pages }) => [status, ready_pages]);
    const unchangedRows = [
      [2, 3],
      [2, 3],
    ];
    await setConversionState(ctx, id);
    await put('/document/reconvert', { id: [id] });
    await waitForEventDelivery(ctx);
    expect(await readStates()).toEqual(unchangedRows);
    await setConversionState(ctx, id, 'converting');
    expect(await readStates()).toEqual(unchangedRows);
    await setConversionState(ctx, id, 'failed', { reason: '转换超时' });
    expect(await readStates()).toEqual(unchangedRows);
    const { failed } = (await app.inject({ url: '/api/v1/document/queue', headers: await as.root() })).json();
    expect(failed).toContainEqual(expect.objectContaining({ reason: '转换超时', ready_pages: 3 }));
    expect((await get((await add({ bytes })).id)).status).toBe(2);
  });

  test('without ids converts all failed documents and leaves disabled ones disabled', async () => {
    const [{ id: failedId }, { id: readyId }, { id: disabledId }] = [await add(), await add(), await add()];
    await setConversionState(ctx, failedId, 'failed', { reason: '超时' });
    await setConversionState(ctx, readyId);
    await setConversionState(ctx, disabledId, 'failed');
    await put('/document/check', { id: [disabledId], status: 4 });
    expect((await put('/document/reconvert', {})).json()).toEqual({});
    await reconvertFailed.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    await waitForEventDelivery(ctx);
    expect([(await get(failedId)).status, (await get(readyId)).status, (await get(disabledId)).status]).toEqual([
      0, 2, 4,
    ]);
    expect((await get(failedId)).convert_error).toBe('');
  });

  test('queues a failed document under review', async () => {
    const reviewedUploader = await newUploader(ctx, { enable_document_review: true });
    const { id } = await addDocument(ctx, reviewedUploader, { category_id });
    await setConversionState(ctx, id, 'failed', { reason: '超时' });
    expect(await get(id)).toMatchObject({ status: 6, convert_error: '超时' });
    expect((await put('/document/reconvert', { id: [id] })).statusCode).toBe(200);
    await waitForEventDelivery(ctx);
    const { document } = (await app.inject({ url: `/api/v1/document/progress?id=${id}`, headers: root })).json();
    expect(document).toEqual([expect.objectContaining({ status: 6, conversion_state: 'reconverting', reason: '' })]);
  });

  test('rejects documents that were refused before documents under review were converted', async () => {
    const { id } = await add();
    await changeDocument(ctx, id, { status: 7, rendition_id: null });
    expect(await codeOf(put('/document/reconvert', { id: [id] }))).toBe('document.wrongStatus');
  });
});

test('bulk categorization moves several documents to other categories', async () => {
  const [{ id: first }, { id: second }] = [await add(), await add()];
  const branch = await createCategoryChain(ctx, 3);
  const answer = await put('/document/category', {
    document_id: [first, second],
    category_id: [branch.at(-1)],
  });
  expect(answer.statusCode).toBe(200);
  expect([(await get(first)).category_id, (await get(second)).category_id]).toEqual([branch, branch]);
  expect((await readDocumentCounts(ctx, owner.id, branch)).categories).toEqual([2, 2, 2]);
  expect(await codeOf(put('/document/category', { document_id: [first], category_id: [] }))).toBe('http.invalidInput');
  expect(await codeOf(put('/document/category', { document_id: [], category_id: branch }))).toBe('http.invalidInput');
});

describe('editing a document', () => {
  test('is allowed for its owner and rejected for other users', async () => {
    const { id } = await add();
    const otherUser = await newUploader(ctx);
    const branch = await createCategoryChain(ctx);
    const change = {
      title: '新的名称',
      price: 9,
      keywords: '甲,乙',
      description: '摘要',
      visibility: 1,
      preview: 4,
      category_id: branch,
    };
    expect((await put('/document', { id, ...change }, otherUser.headers)).statusCode).toBe(403);
    expect((await put('/document', { id, ...change }, owner.headers)).statusCode).toBe(200);
    expect(await get(id, owner.headers)).toMatchObject(change);
    await put('/document', { id, visibility: 2 }, owner.headers);
    expect(await get(id, owner.headers)).toMatchObject({ ...change, visibility: 2 });
    expect((await put('/document', { id, price: 1 }, otherUser.headers)).statusCode).toBe(403);
  });

  test('accepts a complete row and ignores read-only fields', async () => {
    const { id } = await add();
    const row = await get(id, owner.headers);
    const { user: _, ...payload } = { ...row, view_count: 999, user_id: 1, uuid: 'x', title: '改名' };
    expect((await put('/document', payload, owner.headers)).statusCode).toBe(200);
    expect(await get(id, owner.headers)).toEqual({
      ...row,
      title: '改名',
      updated_at: expect.any(String),
    });
  });

  test.each([{ award: 9 }, { rendition_id: 1 }, { deleted_at: null }, { price: -1 }, { title: '' }, { penalty: 0 }])(
    'rejects the change %j with 400',
    async (invalidInput) => {
      const { id } = await add();
      expect((await put('/document', { id, ...invalidInput }, owner.headers)).statusCode).toBe(400);
    },
  );

  test('allows status changes only with the permission, and never to conversion statuses', async () => {
    const { id } = await add();
    const editor = (await newStaff(ctx, ['DocumentAPI/UpdateDocument'])).headers;
    expect((await put('/document', { id, status: 4 }, owner.headers)).statusCode).toBe(403);
    expect((await put('/document', { id, status: 2 }, editor)).statusCode).toBe(200);
    expect((await get(id)).status).toBe(0);
    expect((await put('/document', { id, status: 4, title: '停用' }, editor)).statusCode).toBe(200);
    expect((await put('/document', { id, status: 2 }, editor)).json().code).toBe('document.wrongStatus');
    expect(await get(id)).toMatchObject({ status: 4, title: '停用' });
    expect((await put('/document', { id, status: 0 }, editor)).statusCode).toBe(200);
    expect((await get(id)).status).toBe(0);
    const log = (await ctx.db.select().from(auditLogs).orderBy(auditLogs.id)).at(-1);
    expect(log).toMatchObject({ action: '更新文档', before: { status: 4 }, after: { status: 0 } });
  });

  test('puts a refused document under review when its owner changes it', async () => {
    const { id } = await add();
    await put('/document/check', { id: [id], status: 7, reason: '标题不实' });
    await put('/document', { id, title: '如实的标题' }, owner.headers);
    expect(await get(id, owner.headers)).toMatchObject({ status: 6, reject_reason: '' });
  });

  test('of a user under review needs a review for text changes, not for price changes', async () => {
    const reviewedUploader = await newUploader(ctx, { enable_document_review: true });
    const { id } = await addDocument(ctx, reviewedUploader, { category_id, title: '通过的' });
    await put('/document/check', { id: [id], status: 0 });
    await put('/document', { id, price: 3, title: '通过的' }, reviewedUploader.headers);
    expect((await get(id)).status).toBe(0);
    await put('/document', { id, title: '换成别的' }, reviewedUploader.headers);
    expect((await get(id)).status).toBe(6);
  });

  test('may keep a category that was disabled, which other documents cannot choose', async () => {
    const branch = await createCategoryChain(ctx);
    const { id } = await add({ category_id: branch });
    await pool.query('update categories set enable = false where id = $1', [branch[1]]);
    expect((await put('/document', { id, title: '还在', category_id: branch }, owner.headers)).statusCode).toBe(200);
    const { id: otherId } = await add();
    expect(await codeOf(put('/document', { id: otherId, category_id: branch }, owner.headers))).toBe(
      'document.unknownCategory',
    );
  });
});

test('the conversion queue lists waiting, running and failed files with their documents and totals', async () => {
  const [{ id: waitingId }, { id: runningId }, { id: failedId }] = [
    await add({ title: '等着的' }),
    await add({ title: '转着的' }),
    await add({ title: '坏了的' }),
  ];
  await setConversionState(ctx, runningId, 'converting', { pages: 9, ready_pages: 2 });
  await setConversionState(ctx, failedId, 'failed', { reason: '文档已加密' });
  const manager = (await newStaff(ctx, ['DocumentAPI/ListDocument'])).headers;
  const queue = (await app.inject({ url: '/api/v1/document/queue', headers: manager })).json();
  const find = (list: { document: { id: number }[] }[], id: number) =>
    list.find(({ document }) => document.some((each) => each.id === id));
  expect(find(queue.waiting, waitingId)).toMatchObject({ document: [{ title: '等着的' }] });
  expect(find(queue.running, runningId)).toMatchObject({ pages: 9, ready_pages: 2 });
  expect(find(queue.failed, failedId)).toMatchObject({
    reason: '文档已加密',
    document: [{ title: '坏了的', username: owner.username }],
  });
  expect(queue.totals.waiting).toBeGreaterThanOrEqual(1);
  expect(queue.per_minute).toBeGreaterThanOrEqual(0);
});
