import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { auditLogs } from '#modules/audit/audit.table.ts';
import { addDocument, createCategoryChain, newUpload } from '#modules/document/document.fixture.ts';
import { newMember, newRole, roleIdOf, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { type Endpoint, permissionOf } from '#platform/contract/endpoint.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, ctx, as, pool } = await testApp();
const root = await as.root();

type Sample = () => Promise<Record<string, unknown>>;

async function upload(kind: string): Promise<{ path: string }> {
  const { payload, contentType } = multipartForm(await makePicture());
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/upload/${kind}`,
    headers: { ...root, 'content-type': contentType },
    payload,
  });
  return answer.json().data;
}
const create = async (path: string, payload: object): Promise<number> =>
  (await app.inject({ method: 'POST', url: `/api/v1${path}`, headers: root, payload })).json().id;
const firstId = async (path: string, key: string): Promise<number> =>
  (await app.inject({ url: `/api/v1${path}`, headers: root })).json()[key][0].id;

const unique = () => crypto.randomUUID().slice(0, 8);
const link = () => ({ title: '友邻', link: `https://${unique()}.example.com` });
const article = () => ({
  title: '新的单页',
  identifier: `page-${unique()}`,
  content: '<p>正文</p>',
});
const banner = async () => ({ title: '春天', path: (await upload('banner')).path });
const member = async () => (await newMember(ctx, [await roleIdOf(ctx, '普通用户')])).id;
const picture: Sample = async () => ({});
const addSampleDocument = async () =>
  (await addDocument(ctx, { id: await member() }, { category_id: await createCategoryChain(ctx) })).id;
const deletedDocument = async () => {
  const id = await addSampleDocument();
  await app.inject({ method: 'DELETE', url: `/api/v1/document?id=${id}`, headers: root });
  return id;
};

const insert = async (query: string, values: unknown[]): Promise<number> =>
  (await pool.query(`${query} returning id::int`, values)).rows[0].id;
const addSampleComment = async () =>
  insert(
    `insert into comments (user_id, document_id, content, status, created_at)
     values ($1, $2, '一条评论', 1, now())`,
    [await member(), await addSampleDocument()],
  );
const addSampleReport = async () =>
  insert(
    `insert into reports (user_id, document_id, document_title, reason, created_at)
     values ($1, $2, '一篇文档', 1, now())`,
    [await member(), await addSampleDocument()],
  );

/** A valid input for every operation that changes data and requires a permission. */
const samples: Record<string, Sample> = {
  'PUT /config': async () => ({
    config: [{ category: 'system', name: 'title', value: '新的标题' }],
  }),
  'PUT /sitemap': async () => ({}),
  'POST /upload/banner': picture,
  'POST /upload/category': picture,
  'POST /upload/config': picture,
  'POST /upload/article': picture,
  'POST /category': async () => ({ title: '甲\n乙' }),
  'PUT /category': async () => ({ id: await firstId('/category/list', 'category'), sort: 9 }),
  'DELETE /category': async () => ({ id: [await firstId('/category/list', 'category')] }),
  'POST /article': async () => article(),
  'PUT /article': async () => ({ id: await create('/article', article()), title: '改过的' }),
  'DELETE /article': async () => ({ id: [await create('/article', article())] }),
  'POST /banner': banner,
  'PUT /banner': async () => ({ id: await create('/banner', await banner()), sort: 3 }),
  'DELETE /banner': async () => ({ id: [await create('/banner', await banner())] }),
  'POST /friendlink': async () => link(),
  'PUT /friendlink': async () => ({ id: await create('/friendlink', link()), sort: 3 }),
  'DELETE /friendlink': async () => ({ id: [await create('/friendlink', link()), 9999] }),
  'POST /group': async () => ({ title: `角色 ${unique()}` }),
  'PUT /group': async () => ({ id: await newRole(ctx), enable_upload: true }),
  'DELETE /group': async () => ({ id: [await newRole(ctx), await newRole(ctx)] }),
  'PUT /group/permission': async () => ({ group_id: await newRole(ctx), permission_id: [1, 2] }),
  'PUT /permission': async () => ({ id: 1, title: '新的名称' }),
  'POST /user': async () => ({
    username: `user${unique()}`,
    password: TEST_PASSWORD,
    group_id: [await roleIdOf(ctx, '普通用户')],
  }),
  'PUT /user': async () => ({
    id: await member(),
    password: 'another-password',
    group_id: [await roleIdOf(ctx, '内容审核员')],
  }),
  'PUT /user/ban': async () => ({
    id: [await member(), await member()],
    ban: true,
    reason: '刷屏',
  }),
  'DELETE /user': async () => ({ id: [await member()], password: ADMIN_PASSWORD }),
  'PUT /attachment': async () => ({ id: await newUpload(ctx, 1), enable: false }),
  'DELETE /attachment': async () => ({ id: [await newUpload(ctx, 1)] }),
  'PUT /document/recommend': async () => ({ id: [await addSampleDocument()], type: 1 }),
  'PUT /document/check': async () => ({
    id: [await addSampleDocument(), await addSampleDocument()],
    status: 7,
    reason: '不合适',
  }),
  'PUT /document/reconvert': async () => ({ id: [await addSampleDocument()] }),
  'POST /document/merge': async () => ({ id: await addSampleDocument(), into: await addSampleDocument() }),
  'PUT /recognition/retry': async () => ({ id: [1, 2] }),
  'PUT /document/category': async () => ({
    document_id: [await addSampleDocument()],
    category_id: await createCategoryChain(ctx),
  }),
  'DELETE /document/recycle': async () => ({ id: [await deletedDocument()] }),
  'DELETE /document/recycle/all': async () => {
    await deletedDocument();
    return {};
  },
  'POST /comment/check': async () => ({ id: [await addSampleComment(), await addSampleComment()], status: 2 }),
  'PUT /report/handle': async () => ({ id: [await addSampleReport()], action: 1, remark: '属实' }),
  'PUT /report': async () => ({ id: await addSampleReport(), status: true, remark: '属实' }),
  'DELETE /report': async () => ({ id: [await addSampleReport()] }),
  'PUT /document/index': async () => ({}),
  'DELETE /searchrecord': async () => {
    await app.inject({ url: '/api/v1/document/search?wd=abc' });
    return { id: [await firstId('/searchrecord/list', 'search_record')] };
  },
  'POST /synonym': async () => ({ words: ['电脑', '计算机'] }),
  'PUT /synonym': async () => ({
    id: await create('/synonym', { words: ['电脑', '计算机'] }),
    enable: false,
  }),
  'DELETE /synonym': async () => ({
    id: [await create('/synonym', { words: ['番茄', '西红柿'] })],
  }),
  'POST /user/credit': async () => ({ user_id: await member(), amount: 5, note: '活动奖励' }),
};

const operations = apiRoutes
  .map(({ endpoint }) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }))
  .filter(({ endpoint: { method, access } }) => method !== 'GET' && permissionOf(access) !== null);

async function send(endpoint: Endpoint, input: Record<string, unknown>) {
  const url = `/api/v1${endpoint.path}`;
  const { method } = endpoint;
  if (endpoint.upload) {
    const { payload, contentType } = multipartForm(await makePicture());
    return app.inject({ method, url, headers: { ...root, 'content-type': contentType }, payload });
  }
  if (method === 'POST' || method === 'PUT') return app.inject({ method, url, headers: root, payload: input });
  // The password is sent in the body: proxies log URLs.
  const { password, ...rest } = input;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) for (const each of [value].flat()) query.append(key, String(each));
  return app.inject({
    method,
    url: `${url}?${query}`,
    headers: root,
    ...(password !== undefined && { payload: { password } }),
  });
}

const readAuditLog = () => ctx.db.select().from(auditLogs).orderBy(auditLogs.id);

describe('the audit log', () => {
  test('the samples belong to existing administrative operations', async () => {
    expect(operations.length).toBeGreaterThan(25);
    expect(Object.keys(samples).filter((name) => !operations.some((each) => each.name === name))).toEqual([]);
  });

  test.each(operations)('records $name once, in words for administrators', async ({ name, endpoint }) => {
    const sample = samples[name];
    if (!sample) throw new Error(`samples has no input for ${name}`);
    const input = await sample();
    const before = await readAuditLog();
    const answer = await send(endpoint, input);
    expect(answer.statusCode, answer.body).toBe(200);
    const newEntries = (await readAuditLog()).slice(before.length);
    expect(newEntries).toHaveLength(1);
    const [entry] = newEntries;
    expect(entry).toMatchObject({ user_id: 1, username: 'admin', ip: '127.0.0.1' });
    expect(entry?.action).toMatch(/^\p{Script=Han}+$/u);
    expect(entry?.target).not.toBe('');
    expect(entry?.before ?? entry?.after).not.toBeNull();
    expect(JSON.stringify(entry)).not.toMatch(/another-password|correct-horse|a-good-password|argon2/);
    // The log shows Chinese labels instead of column names.
    const response = await app.inject({ url: '/api/v1/audit/list?size=1', headers: root });
    const { target, changes } = response.json().audit[0];
    expect(changes.length).toBeGreaterThan(0);
    for (const { field } of changes) expect(field).toMatch(/^\d+ |\p{Script=Han}/u);
    expect(target + JSON.stringify(changes)).not.toMatch(/[a-z]+_[a-z]+|API\/|true|false|"null"|user:/);
  });

  /** Some operations need no input: reconverting all failed documents, emptying the recycle bin. */
  const needsInput = ({ endpoint: { input, upload } }: (typeof operations)[number]) =>
    !upload && !z.safeParse(input, {}).success;

  test.each(operations.filter(needsInput))('does not record $name when it is rejected', async ({ endpoint }) => {
    const before = await readAuditLog();
    expect((await send(endpoint, {})).statusCode).toBeGreaterThanOrEqual(400);
    expect(await readAuditLog()).toHaveLength(before.length);
  });
});
