import { expect, test } from 'vitest';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import type { CommentItem } from './comment.contract.ts';

const { app, ctx, pool } = await testApp();
const document = await newDocument(ctx);
const reader = await newReader(ctx);
const write = (amount: number) =>
  pool.query(
    `insert into comments (document_id, user_id, content, status, created_at)
     select $1, $2, '评论 ' || n, 1, now() from generate_series(1, $3) n`,
    [document.id, reader.id, amount],
  );
const list = async (query: string) => {
  const url = `/api/v1/comment/list?document_id=${document.id}${query}`;
  return (await app.inject(url)).json() as { total: number; comment: CommentItem[] };
};
const idsOf = ({ comment }: { comment: CommentItem[] }) => comment.map(({ id }) => id);
const { title } = (await app.inject(`/api/v1/document?id=${document.id}`)).json();

test('GET /comment/list returns all comments of a document with its title when there are no paging parameters', async () => {
  await write(130);
  const response = await list('');
  expect([response.total, response.comment.length]).toEqual([130, 130]);
  expect(idsOf(response)).toEqual(idsOf(response).toSorted((a, b) => a - b));
  expect(response.comment[0]?.document_title).toBe(title);
});

test('GET /comment/list returns replies and nested replies in one list when there are no paging parameters', async () => {
  await setSetting(ctx, 'security.enable_captcha_comment', 'false');
  await setSetting(ctx, 'security.comment_interval', '0');
  const { id: documentId } = await newDocument(ctx);
  const add = async (content: string, parent_id = 0): Promise<number> => {
    const payload = { document_id: documentId, content, parent_id };
    const request = { method: 'POST', url: '/api/v1/comment', headers: reader.headers } as const;
    return (await app.inject({ ...request, payload })).json().id;
  };
  const first = await add('第一条');
  const reply = await add('回复第一条', first);
  const second = await add('第二条');
  const nestedReply = await add('回复这条回复', reply);
  const url = `/api/v1/comment/list?document_id=${documentId}`;
  const { total, comment } = (await app.inject(url)).json();
  expect(total).toBe(4);
  expect(
    comment.map(({ id, content, parent_id, root_id }: CommentItem) => ({
      id,
      content,
      parent_id,
      root_id,
    })),
  ).toEqual([
    { id: first, content: '第一条', parent_id: 0, root_id: 0 },
    { id: reply, content: '回复第一条', parent_id: first, root_id: first },
    { id: second, content: '第二条', parent_id: 0, root_id: 0 },
    { id: nestedReply, content: '回复这条回复', parent_id: reply, root_id: first },
  ]);
});

test('GET /comment/list returns one page of comments when a page or a size is given', async () => {
  expect((await list('&page=1')).comment).toHaveLength(10);
  expect((await list('&size=7')).comment).toHaveLength(7);
  expect((await list('&size=101')).comment).toBeUndefined();
});

test('GET /comment/list without paging parameters returns at most the newest 1000 comments, oldest first', async () => {
  const oldest = (await list('&size=1')).comment[0]?.id;
  await write(1000);
  const response = await list('');
  expect([response.total, response.comment.length]).toEqual([1130, 1000]);
  expect(idsOf(response)).not.toContain(oldest);
  expect(idsOf(response).at(-1)).toBe((await list('&size=1&order=id')).comment[0]?.id);
  expect(idsOf(response)).toEqual(idsOf(response).toSorted((a, b) => a - b));
});
