import { beforeEach, describe, expect, test } from 'vitest';
import { numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { newStaff } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { type Report, reportReasons } from './report.contract.ts';

const { app, as, ctx, clock, pool } = await testApp();
type Headers = { authorization?: string };
const root: Headers = await as.root();
let document: Awaited<ReturnType<typeof newDocument>>;
let reader: Awaited<ReturnType<typeof newReader>>;
beforeEach(async () => {
  document = await newDocument(ctx);
  reader = await newReader(ctx);
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, headers: Headers, payload?: object) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const report = (headers: Headers = reader.headers, extraInput: object = {}) =>
  send('POST', '/report', headers, { document_id: document.id, reason: 4, ...extraInput });
const list = async (query = '') =>
  (
    await app.inject({
      url: `/api/v1/report/list?document_id=${document.id}${query}`,
      headers: root,
    })
  ).json();
const handle = (id: number[], action: number, remark = '', headers: Headers = root) =>
  send('PUT', '/report/handle', headers, { id, action, remark });
const notificationTexts = async (headers: Headers) =>
  (await app.inject({ url: '/api/v1/notification/list', headers }))
    .json()
    .notification.map(({ content }: { content: string }) => content);
const statusOf = async () =>
  (await pool.query('select status, reject_reason, deleted_at from documents where id = $1', [document.id])).rows[0];

describe('a report', () => {
  test('is stored once per user and document and returned to the reporter and to administrators', async () => {
    const response = await report(reader.headers, { document_title: '随便', content: '第 3 页' });
    expect(response.json()).toEqual({});
    const secondResponse = await report(reader.headers, { reason: 1 });
    expect([secondResponse.statusCode, secondResponse.json().message]).toEqual([409, '您已举报过当前文档']);
    const { total, report: rows } = await list();
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({
      document_title: document.title,
      reason: 4,
      content: '第 3 页',
      status: false,
      user_id: reader.id,
      remark: '',
      handler: '',
      handled_at: null,
      created_at: clock.now.toISOString(),
    });
    const myReport = await app.inject({
      url: `/api/v1/report?document_id=${document.id}`,
      headers: reader.headers,
    });
    expect(myReport.json()).toMatchObject({ id: rows[0].id, reason: 4, status: false });
  });

  test('sent by 40 concurrent requests is stored once per reader, and one decision notifies each reporter once', async () => {
    const repeatedResponses = await Promise.all(numbersUpTo(40).map(() => report()));
    expect(repeatedResponses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(repeatedResponses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(39);
    const people = await Promise.all(numbersUpTo(40).map(() => newReader(ctx)));
    await Promise.all(people.map(({ headers }) => report(headers)));
    expect((await list()).total).toBe(41);
    // One decision closes all of them and notifies each reporter once.
    const ids = (await list('&size=2')).report.map(({ id }: Report) => id);
    const responses = await Promise.all(numbersUpTo(10).map(() => handle(ids, 1, '核实属实')));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9);
    const { rows } = await pool.query(
      `select count(*)::int as notification_count from notifications where kind = 'report'
       and payload -> 'document' ->> 'id' = $1`,
      [String(document.id)],
    );
    expect(rows[0].notification_count).toBe(41);
    expect((await list('&status=false')).total).toBe(0);
  });

  test.each([0, 7, '4', null])('with the invalid reason %s is rejected with 400', async (reason) => {
    expect((await report(reader.headers, { reason })).statusCode).toBe(400);
  });

  test('by the author of the document, or about a hidden document, is rejected', async () => {
    expect((await report(document.author.headers)).json().message).toBe('不能举报自己的文档');
    await pool.query(`update documents set review_state = 'disabled' where id = $1`, [document.id]);
    expect((await report()).statusCode).toBe(404);
    expect((await report({})).statusCode).toBe(401);
  });
});

describe('handling a report', () => {
  test('disables the document with a reason and notifies reporter and owner', async () => {
    await report();
    const [{ id }] = (await list()).report;
    expect((await handle([id], 1, '含有个人信息')).json()).toEqual({});
    expect(await statusOf()).toMatchObject({ status: 4, reject_reason: '含有个人信息' });
    expect(await notificationTexts(reader.headers)).toEqual([
      '您举报的文档《一篇文档》已被禁用，感谢您的举报：含有个人信息',
    ]);
    expect(await notificationTexts(document.author.headers)).toEqual(['您的文档《一篇文档》已被禁用：含有个人信息']);
    expect((await list()).report[0]).toMatchObject({
      status: true,
      action: 1,
      remark: '含有个人信息',
      handler: 'admin',
      handled_at: clock.now.toISOString(),
    });
  });

  test('deletes the document or leaves it unchanged, and a reopened report retracts its notification', async () => {
    await report();
    const [{ id }] = (await list()).report;
    await handle([id], 0, '没有发现问题');
    expect(await statusOf()).toMatchObject({ status: 2, deleted_at: null });
    expect(await notificationTexts(reader.headers)).toEqual([
      '您举报的文档《一篇文档》已经核实，未作处理：没有发现问题',
    ]);
    // The report is reopened.
    await send('PUT', '/report', root, { id, status: false });
    expect(await notificationTexts(reader.headers)).toEqual([]);
    await handle([id], 2);
    expect(await notificationTexts(reader.headers)).toEqual(['您举报的文档《一篇文档》已被删除，感谢您的举报']);
    expect((await statusOf()).deleted_at).not.toBeNull();
    expect(await notificationTexts(document.author.headers)).toEqual([
      `您的文档《一篇文档》已被删除：被举报：${reportReasons[4]}`,
    ]);
    expect((await list()).report[0]).toMatchObject({ status: true, action: 2 });
    const deletion = await pool.query('delete from documents where id = $1', [document.id]);
    expect(deletion.rowCount).toBe(1);
    const { rows } = await pool.query('select document_title from reports where id = $1', [id]);
    expect(rows).toEqual([{ document_title: '一篇文档' }]);
  });

  test('requires the permission to disable or delete the document', async () => {
    await report();
    const [{ id }] = (await list()).report;
    const reportManager = await newStaff(ctx, ['ReportAPI/ListReport', 'ReportAPI/UpdateReport']);
    expect((await handle([id], 1, '', reportManager.headers)).json().message).toBe('您没有权限禁用文档');
    expect((await handle([id], 2, '', reportManager.headers)).json().message).toBe('您没有权限删除文档');
    expect(await statusOf()).toMatchObject({ status: 2 });
    expect((await handle([id], 0, '已看过', reportManager.headers)).statusCode).toBe(200);
    expect((await handle([id, 999_999], 0)).statusCode).toBe(404);
  });

  test('by PUT /report, as clients of moredoc send it, changes status and remark', async () => {
    await report();
    const [row] = (await list()).report;
    await send('PUT', '/report', root, { ...row, status: true, remark: '谢谢' });
    expect((await list('&status=true')).report).toMatchObject([{ remark: '谢谢', action: 0 }]);
    expect(await notificationTexts(reader.headers)).toHaveLength(1);
    expect((await send('DELETE', `/report?id=${row.id}`, root)).json()).toEqual({});
    expect((await list()).total).toBe(0);
    // A reporter may report the document again after the report was deleted.
    expect((await report()).statusCode).toBe(200);
  });
});
