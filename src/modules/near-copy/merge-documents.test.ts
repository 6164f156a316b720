import { beforeEach, describe, expect, test } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { purchases } from '#modules/download/download.table.ts';
import { findValidPurchases } from '#modules/download/purchase.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx, as } = await testApp();
await setSetting(ctx, 'security.comment_interval', '0');
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
const uploader = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const publish = () => addConvertedDocument(ctx, uploader, { category_id });
const role = await newRole(ctx, [], { enable_comment: true });
const [reader, otherReader] = [await newMember(ctx, [role]), await newMember(ctx)];

async function send(method: 'POST' | 'GET' | 'PUT' | 'DELETE', path: string, headers: Headers, payload?: object) {
  return app.inject({ method, url: `/api/v1${path}`, headers, payload });
}
async function succeed(...parameters: Parameters<typeof send>) {
  const response = await send(...parameters);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}
const merge = async (id: number, into: number, headers?: Headers) =>
  send('POST', '/document/merge', headers ?? (await as.root()), { id, into });
const comment = (documentId: number, content: string, parent = 0) =>
  succeed('POST', '/comment', reader.headers, { document_id: documentId, content, parent_id: parent });

let copy = 0;
let original = 0;
beforeEach(async () => {
  [copy, original] = [await publish(), await publish()];
});

const countsOf = async (id: number) => {
  const { favorite_count, comment_count } = await succeed('GET', `/document?id=${id}`, await as.root());
  return { favorite_count, comment_count };
};

describe('merging a document into another one', () => {
  test('moves its favorites, once for users who have both', async () => {
    for (const document_id of [copy, original]) await succeed('POST', '/favorite', reader.headers, { document_id });
    await succeed('POST', '/favorite', otherReader.headers, { document_id: copy });
    expect((await merge(copy, original)).statusCode).toBe(200);
    expect(await countsOf(original)).toMatchObject({ favorite_count: 2 });
  });

  test('moves its comments with their replies and counts', async () => {
    const { id } = await comment(copy, '写得很好。');
    await comment(copy, '同意。', id);
    await comment(original, '原文的评论。');
    expect((await merge(copy, original)).statusCode).toBe(200);
    const { comment: rows } = await succeed(
      'GET',
      `/comment/list?document_id=${original}&with_reply=1&page=1&size=10`,
      reader.headers,
    );
    const countsByText = Object.fromEntries(
      rows.map(({ content, comment_count }: { content: string; comment_count: number }) => [content, comment_count]),
    );
    expect(countsByText).toEqual({ '写得很好。': 1, '同意。': 0, '原文的评论。': 0 });
    expect(await countsOf(original)).toMatchObject({ comment_count: 3 });
  });

  test('lets its buyers download the other document', async () => {
    const purchase = { user_id: reader.id, price: 3, created_at: '2026-03-01T00:00:00Z' };
    await ctx.db.insert(purchases).values([
      { ...purchase, document_id: copy, number: 1 },
      { ...purchase, document_id: original, number: 1 },
    ]);
    expect((await merge(copy, original)).statusCode).toBe(200);
    const rows = await ctx.db.select().from(purchases);
    expect(rows.filter(({ document_id }) => document_id === original).map(({ number }) => number)).toEqual([1, 2]);
  });

  test('keeps the valid purchase of a user who bought the other document later', async () => {
    await setSetting(ctx, 'download.free_download_duration', '30');
    const purchase = { user_id: reader.id, price: 3, number: 1 };
    const [now, longAgo] = [new Date().toISOString(), '2020-01-01T00:00:00Z'];
    await ctx.db.insert(purchases).values([
      { ...purchase, document_id: copy, created_at: longAgo },
      { ...purchase, document_id: original, created_at: now },
    ]);
    expect((await merge(copy, original)).statusCode).toBe(200);
    const user = { id: reader.id, username: '', isRoot: false, permissions: new Set<string>(), sessionId: 0 };
    expect([...(await findValidPurchases({ ...ctx, user }, [original])).keys()]).toEqual([original]);
  });

  test('moves it to the recycle bin, and its addresses lead to the other document', async () => {
    const { uuid } = await succeed('GET', `/document?id=${copy}`, {});
    expect((await merge(copy, original)).statusCode).toBe(200);
    expect((await send('GET', `/document?id=${copy}`, {})).statusCode).toBe(404);
    for (const key of [`id=${copy}`, `uuid=${uuid}`])
      expect(await succeed('GET', `/document/successor?${key}`, {})).toEqual({ id: original });
  });

  test('leads on when the other document is merged as well, and nowhere when it is private', async () => {
    const last = await publish();
    await merge(copy, original);
    await merge(original, last);
    expect(await succeed('GET', `/document/successor?id=${copy}`, {})).toEqual({ id: last });
    await succeed('PUT', '/document', await as.root(), { id: last, visibility: 2 });
    expect(await succeed('GET', `/document/successor?id=${copy}`, {})).toEqual({ id: 0 });
  });

  test('leads on after the other document was merged as well and then erased', async () => {
    const last = await publish();
    await merge(copy, original);
    await merge(original, last);
    await succeed('DELETE', `/document/recycle?id=${original}`, await as.root());
    expect(await succeed('GET', `/document/successor?id=${copy}`, {})).toEqual({ id: last });
    expect(await succeed('GET', `/document/successor?id=${original}`, {})).toEqual({ id: last });
  });

  test('leads nowhere after it was restored, also while it is private', async () => {
    await merge(copy, original);
    await succeed('PUT', '/document/recycle', await as.root(), { id: [copy] });
    await succeed('PUT', '/document', await as.root(), { id: copy, visibility: 2 });
    expect(await succeed('GET', `/document/successor?id=${copy}`, {})).toEqual({ id: 0 });
  });

  test('is rejected for a missing document, for one document and without the permission, and changes nothing', async () => {
    expect((await merge(copy, copy)).json().code).toBe('nearCopy.sameDocument');
    expect((await merge(copy, 999_999)).statusCode).toBe(404);
    expect((await merge(copy, original, uploader.headers)).statusCode).toBe(403);
    expect((await send('GET', `/document?id=${copy}`, {})).statusCode).toBe(200);
    expect(await succeed('GET', `/document/successor?id=${copy}`, {})).toEqual({ id: 0 });
  });
});
