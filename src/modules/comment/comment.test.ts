import { beforeEach, describe, expect, test } from 'vitest';
import { balanceOf, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import type { CommentItem } from './comment.contract.ts';

const { app, as, ctx, clock, pool } = await testApp();
type Headers = { authorization?: string };
let document: Awaited<ReturnType<typeof newDocument>>;
let reader: Awaited<ReturnType<typeof newReader>>;
beforeEach(async () => {
  await setSetting(ctx, 'security.enable_captcha_comment', 'false');
  await setSetting(ctx, 'security.comment_interval', '0');
  document = await newDocument(ctx);
  reader = await newReader(ctx);
});

const post = (content: string, headers: Headers = reader.headers, extraInput: object = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/comment',
    headers,
    payload: { document_id: document.id, content, ...extraInput },
  });
const list = async (query = '', headers: Headers = {}) => {
  const url = `/api/v1/comment/list?document_id=${document.id}${query}`;
  return (await app.inject({ url, headers })).json();
};
const listCommentTexts = async (query = '', headers: Headers = {}) =>
  (await list(query, headers)).comment.map(({ content }: CommentItem) => content);
const change = (payload: object, headers: Headers = reader.headers) =>
  app.inject({ method: 'PUT', url: '/api/v1/comment', headers, payload });
const remove = (ids: number[], headers: Headers = reader.headers) =>
  app.inject({ method: 'DELETE', url: `/api/v1/comment?id=${ids.join('&id=')}`, headers });
const countsOf = async (userId = reader.id) => {
  const { rows } = await pool.query(
    `select d.comment_count as document, u.comment_count as person
     from documents d, users u where d.id = $1 and u.id = $2`,
    [document.id, userId],
  );
  return [rows[0].document, rows[0].person];
};

describe('comments', () => {
  test('are public with their replies and are counted', async () => {
    const first = (await post('写得很清楚。')).json();
    expect(first).toMatchObject({
      content: '写得很清楚。',
      parent_id: 0,
      root_id: 0,
      status: 1,
      is_editable: true,
      user: { id: reader.id },
    });
    const otherReader = await newReader(ctx);
    const reply = (await post('同意。', otherReader.headers, { parent_id: first.id })).json();
    const last = (await post('谢谢。', reader.headers, { parent_id: reply.id })).json();
    expect([reply.root_id, last.root_id, last.reply_to.id]).toEqual([first.id, first.id, otherReader.id]);
    await post('另一条。', otherReader.headers);
    const { total, comment } = await list('&parent_id=0&with_reply=true&order=id desc');
    expect(total).toBe(2);
    expect(comment.map(({ content, comment_count }: CommentItem) => [content, comment_count])).toEqual([
      ['另一条。', 0],
      ['写得很清楚。', 2],
    ]);
    expect(comment[1].reply.map(({ content }: CommentItem) => content)).toEqual(['同意。', '谢谢。']);
    expect(await listCommentTexts(`&root_id=${first.id}`)).toEqual(['同意。', '谢谢。']);
    // All of them, oldest first, as clients of moredoc request them.
    expect(await listCommentTexts()).toEqual(['写得很清楚。', '同意。', '谢谢。', '另一条。']);
    expect(await countsOf()).toEqual([4, 2]);
  });

  test('of a long thread are listed with the first three replies, and the other replies in pages', async () => {
    const first = (await post('开头')).json();
    for (const at of numbersUpTo(7)) await post(`回复 ${at}`, reader.headers, { parent_id: first.id });
    const { comment } = await list('&parent_id=0&with_reply=true');
    expect(comment[0].comment_count).toBe(7);
    expect(comment[0].reply).toHaveLength(3);
    expect(await listCommentTexts(`&root_id=${first.id}&size=5&page=2`)).toEqual(['回复 5', '回复 6']);
  });

  test('are returned with their thread by thread_of', async () => {
    const first = (await post('开头')).json();
    await post('别的话');
    const reply = (await post('回答', reader.headers, { parent_id: first.id })).json();
    for (const commentId of [first.id, reply.id]) {
      const { comment } = await list(`&thread_of=${commentId}&with_reply=true`);
      expect(comment).toMatchObject([{ id: first.id, reply: [{ id: reply.id }] }]);
    }
    expect(await listCommentTexts('&thread_of=999999')).toEqual([]);
    const otherDocument = await newDocument(ctx);
    const url = `/api/v1/comment/list?document_id=${otherDocument.id}&thread_of=${reply.id}`;
    expect((await app.inject({ url })).json().total).toBe(0);
  });

  test('are rejected when blank, too long, without login, or without a visible document or parent comment', async () => {
    expect((await post('   ')).json().message).toBe('请输入评论内容');
    expect((await post('长'.repeat(1001))).statusCode).toBe(400);
    expect((await post('回答谁', reader.headers, { parent_id: 999_999 })).statusCode).toBe(404);
    expect((await post('没有登录', {})).statusCode).toBe(401);
    const otherDocument = await newDocument(ctx);
    const { id } = (await post('这里')).json();
    const wrongDocument = await post('那里', reader.headers, { parent_id: id, document_id: otherDocument.id });
    expect(wrongDocument.statusCode).toBe(404);
    await pool.query('update documents set visibility = 2 where id = $1', [document.id]);
    expect((await post('看不见')).statusCode).toBe(404);
    expect((await list()).code).toBe('document.notFound');
  });

  test('are rejected with 403 for a role that does not allow comments', async () => {
    const memberWithoutRight = await newMember(ctx, [await newRole(ctx, [], { enable_comment: false })]);
    const response = await post('可以吗', memberWithoutRight.headers);
    expect([response.statusCode, response.json().code]).toEqual([403, 'comment.notAllowed']);
  });
});

describe('the minimum interval between comments', () => {
  test('holds for one reader when 40 comments are sent together', async () => {
    await setSetting(ctx, 'security.comment_interval', '10');
    const responses = await Promise.all(numbersUpTo(40).map((at) => post(`第 ${at} 条`)));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const tooFast = responses.find(({ statusCode }) => statusCode === 429);
    expect(tooFast?.json().message).toBe('您的评论太快了，请等待 10 秒后再试');
    expect(tooFast?.headers['retry-after']).toBe('10');
    expect(await countsOf()).toEqual([1, 1]);
    const otherReader = await newReader(ctx);
    expect((await post('我是第一次', otherReader.headers)).statusCode).toBe(200);
    clock.now = new Date(clock.now.getTime() + 10_000);
    expect((await post('等过了')).statusCode).toBe(200);
  });
});

describe('the captcha of comments', () => {
  test('is required when the setting is on, and a missing or wrong answer is rejected', async () => {
    await setSetting(ctx, 'security.enable_captcha_comment', 'true');
    expect((await post('没有验证码')).json().message).toBe('请输入验证码');
    const url = '/api/v1/user/captcha?type=comment';
    const { enable, id } = (await app.inject({ url, headers: reader.headers })).json();
    expect(enable).toBe(true);
    const rejectedResponse = await post('错的', reader.headers, { captcha: 'no', captcha_id: id });
    expect(rejectedResponse.json().message).toBe('验证码错误');
    expect(await countsOf()).toEqual([0, 0]);
  });
});

describe('the author of a comment', () => {
  test('edits its text for ten minutes, but not its status', async () => {
    const { id } = (await post('写错了')).json();
    expect((await change({ id, content: '写对了' })).json()).toEqual({ status: 1 });
    expect((await list()).comment[0]).toMatchObject({ content: '写对了', is_edited: true });
    clock.now = new Date(clock.now.getTime() + 10 * 60_000);
    const tooLate = await change({ id, content: '太晚了' });
    expect([tooLate.statusCode, tooLate.json().message]).toEqual([403, '已超过可修改的时间']);
    expect((await list('', reader.headers)).comment[0].is_editable).toBe(false);
    // Authors may not change the status.
    await change({ id, status: 2 });
    expect(await listCommentTexts()).toEqual(['写对了']);
  });

  test('deletes it; a deleted comment with replies is listed without its text', async () => {
    const first = (await post('要删的')).json();
    const otherReader = await newReader(ctx);
    const reply = (await post('还在', otherReader.headers, { parent_id: first.id })).json();
    const withoutReplies = (await post('单独的')).json();
    expect((await remove([first.id, withoutReplies.id])).json()).toEqual({});
    const { total, comment } = await list('&parent_id=0&with_reply=true');
    expect(total).toBe(1);
    expect(comment[0]).toMatchObject({ content: '', is_deleted: true, comment_count: 1 });
    expect(comment[0].reply[0].content).toBe('还在');
    expect(await countsOf()).toEqual([1, 0]);
    await remove([reply.id], otherReader.headers);
    expect((await list('&parent_id=0')).total).toBe(0);
    expect((await remove([first.id])).statusCode).toBe(404);
    expect((await post('回复删掉的', otherReader.headers, { parent_id: first.id })).statusCode).toBe(404);
  });
});

describe('credits for comments', () => {
  /** More than the database connections, few enough for a busy machine. */
  const READERS = 40;

  test('go to the author for the first five of a day when many readers comment together', async () => {
    await setSetting(ctx, 'score.document_commented_limit', '5');
    const readers = await Promise.all(numbersUpTo(READERS).map(() => newReader(ctx)));
    const before = await balanceOf(ctx, document.author.id);
    const responses = await Promise.all(readers.map(({ headers }, at) => post(`读者 ${at}`, headers)));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await countsOf())[0]).toBe(READERS);
    expect(await balanceOf(ctx, document.author.id)).toBe(before + 5);
    await Promise.all(responses.map((response, at) => remove([response.json().id], readers[at]?.headers)));
    expect((await countsOf())[0]).toBe(0);
    expect(await findLedgerViolations(pool)).toEqual([]);
    await setSetting(ctx, 'score.document_commented_limit', '1');
  });

  test('are not paid for comments by the author of the document or before approval', async () => {
    const before = await balanceOf(ctx, document.author.id);
    expect((await post('自己的', document.author.headers)).statusCode).toBe(200);
    expect(await balanceOf(ctx, document.author.id)).toBe(before);
    const reviewedMember = await newMember(ctx, [await newRole(ctx, [], { enable_comment_approval: true })]);
    const { id, status } = (await post('等审核', reviewedMember.headers)).json();
    expect(status).toBe(0);
    expect(await balanceOf(ctx, document.author.id)).toBe(before);
    const approve = () =>
      as.root().then((headers) =>
        app.inject({
          method: 'POST',
          url: '/api/v1/comment/check',
          headers,
          payload: { id: [id], status: 1 },
        }),
      );
    await Promise.all(numbersUpTo(10).map(approve));
    expect(await balanceOf(ctx, document.author.id)).toBe(before + 1);
  });
});

describe('the comment and favorite counts of users', () => {
  test('stay exact while documents are erased and the users comment on other documents', async () => {
    const root = await as.root();
    const people = await Promise.all(numbersUpTo(8).map(() => newReader(ctx)));
    const [remainingDocument, ...erasedDocuments] = await Promise.all(numbersUpTo(5).map(() => newDocument(ctx)));
    if (!remainingDocument) throw new Error('no document was created');
    const send = (url: string, person: Headers, payload: object) =>
      app.inject({ method: 'POST', url: `/api/v1${url}`, headers: person, payload });
    for (const { id } of erasedDocuments)
      await Promise.all(
        people.map(({ headers }, at) =>
          at % 2
            ? send('/favorite', headers, { document_id: id })
            : send('/comment', headers, { document_id: id, content: '会消失的' }),
        ),
      );
    await pool.query('update documents set deleted_at = $2 where id = any($1)', [
      erasedDocuments.map(({ id }) => id),
      clock.now,
    ]);
    const erase = (id: number) =>
      app.inject({ method: 'DELETE', url: `/api/v1/document/recycle?id=${id}`, headers: root });
    const responses = await Promise.all([
      ...erasedDocuments.map(({ id }) => erase(id)),
      ...numbersUpTo(5).flatMap(() =>
        people.map(({ headers }) =>
          send('/comment', headers, { document_id: remainingDocument.id, content: '还在的' }),
        ),
      ),
    ]);
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const { rows } = await pool.query('select distinct comment_count, favorite_count from users where id = any($1)', [
      people.map(({ id }) => id),
    ]);
    expect(rows).toEqual([{ comment_count: 5, favorite_count: 0 }]);
  });
});
