import { beforeEach, describe, expect, test } from 'vitest';
import { balanceOf, range } from '#modules/credit/credit.fixture.ts';
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

const say = (content: string, headers: Headers = reader.headers, more: object = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/comment',
    headers,
    payload: { document_id: document.id, content, ...more },
  });
const list = async (query = '', headers: Headers = {}) => {
  const url = `/api/v1/comment/list?document_id=${document.id}${query}`;
  return (await app.inject({ url, headers })).json();
};
const contents = async (query = '', headers: Headers = {}) =>
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
  test('stand below a document for everybody, with their answers, and are counted', async () => {
    const first = (await say('写得很清楚。')).json();
    expect(first).toMatchObject({
      content: '写得很清楚。',
      parent_id: 0,
      root_id: 0,
      status: 1,
      is_editable: true,
      user: { id: reader.id },
    });
    const other = await newReader(ctx);
    const answer = (await say('同意。', other.headers, { parent_id: first.id })).json();
    const last = (await say('谢谢。', reader.headers, { parent_id: answer.id })).json();
    expect([answer.root_id, last.root_id, last.reply_to.id]).toEqual([first.id, first.id, other.id]);
    await say('另一条。', other.headers);
    const { total, comment } = await list('&parent_id=0&with_reply=true&order=id desc');
    expect(total).toBe(2);
    expect(comment.map(({ content, comment_count }: CommentItem) => [content, comment_count])).toEqual([
      ['另一条。', 0],
      ['写得很清楚。', 2],
    ]);
    expect(comment[1].reply.map(({ content }: CommentItem) => content)).toEqual(['同意。', '谢谢。']);
    expect(await contents(`&root_id=${first.id}`)).toEqual(['同意。', '谢谢。']);
    // All of them, the oldest first, as clients of the ancestor ask.
    expect(await contents()).toEqual(['写得很清楚。', '同意。', '谢谢。', '另一条。']);
    expect(await countsOf()).toEqual([4, 2]);
  });

  test('of a conversation with many answers come with the first three, and the rest in pages', async () => {
    const first = (await say('开头')).json();
    for (const at of range(7)) await say(`回复 ${at}`, reader.headers, { parent_id: first.id });
    const { comment } = await list('&parent_id=0&with_reply=true');
    expect(comment[0].comment_count).toBe(7);
    expect(comment[0].reply).toHaveLength(3);
    expect(await contents(`&root_id=${first.id}&size=5&page=2`)).toEqual(['回复 5', '回复 6']);
  });

  test('are found with the conversation they stand in', async () => {
    const first = (await say('开头')).json();
    await say('别的话');
    const answer = (await say('回答', reader.headers, { parent_id: first.id })).json();
    for (const asked of [first.id, answer.id]) {
      const { comment } = await list(`&thread_of=${asked}&with_reply=true`);
      expect(comment).toMatchObject([{ id: first.id, reply: [{ id: answer.id }] }]);
    }
    expect(await contents('&thread_of=999999')).toEqual([]);
    const elsewhere = await newDocument(ctx);
    const url = `/api/v1/comment/list?document_id=${elsewhere.id}&thread_of=${answer.id}`;
    expect((await app.inject({ url })).json().total).toBe(0);
  });

  test('are refused where there is nothing to say or to answer', async () => {
    expect((await say('   ')).json().message).toBe('请输入评论内容');
    expect((await say('长'.repeat(1001))).statusCode).toBe(400);
    expect((await say('回答谁', reader.headers, { parent_id: 999_999 })).statusCode).toBe(404);
    expect((await say('没有登录', {})).statusCode).toBe(401);
    const elsewhere = await newDocument(ctx);
    const { id } = (await say('这里')).json();
    const moved = await say('那里', reader.headers, { parent_id: id, document_id: elsewhere.id });
    expect(moved.statusCode).toBe(404);
    await pool.query('update documents set visibility = 2 where id = $1', [document.id]);
    expect((await say('看不见')).statusCode).toBe(404);
    expect((await list()).code).toBe('document.notFound');
  });

  test('need a role that allows them', async () => {
    const mute = await newMember(ctx, [await newRole(ctx, [], { enable_comment: false })]);
    const answer = await say('可以吗', mute.headers);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'comment.notAllowed']);
  });
});

describe('the interval between comments', () => {
  test('holds for one reader when 40 comments are sent together', async () => {
    await setSetting(ctx, 'security.comment_interval', '10');
    const answers = await Promise.all(range(40).map((at) => say(`第 ${at} 条`)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const late = answers.find(({ statusCode }) => statusCode === 429);
    expect(late?.json().message).toBe('您的评论太快了，请等待 10 秒后再试');
    expect(late?.headers['retry-after']).toBe('10');
    expect(await countsOf()).toEqual([1, 1]);
    const other = await newReader(ctx);
    expect((await say('我是第一次', other.headers)).statusCode).toBe(200);
    clock.now = new Date(clock.now.getTime() + 10_000);
    expect((await say('等过了')).statusCode).toBe(200);
  });
});

describe('the captcha of comments', () => {
  test('is asked for where the setting says so, and is good once', async () => {
    await setSetting(ctx, 'security.enable_captcha_comment', 'true');
    expect((await say('没有验证码')).json().message).toBe('请输入验证码');
    const url = '/api/v1/user/captcha?type=comment';
    const { enable, id } = (await app.inject({ url, headers: reader.headers })).json();
    expect(enable).toBe(true);
    const wrong = await say('错的', reader.headers, { captcha: 'no', captcha_id: id });
    expect(wrong.json().message).toBe('验证码错误');
    expect(await countsOf()).toEqual([0, 0]);
  });
});

describe('an author of comments', () => {
  test('changes them for some minutes', async () => {
    const { id } = (await say('写错了')).json();
    expect((await change({ id, content: '写对了' })).json()).toEqual({ status: 1 });
    expect((await list()).comment[0]).toMatchObject({ content: '写对了', is_edited: true });
    clock.now = new Date(clock.now.getTime() + 10 * 60_000);
    const late = await change({ id, content: '太晚了' });
    expect([late.statusCode, late.json().message]).toEqual([403, '已超过可修改的时间']);
    expect((await list('', reader.headers)).comment[0].is_editable).toBe(false);
    // The state is not theirs to change.
    await change({ id, status: 2 });
    expect(await contents()).toEqual(['写对了']);
  });

  test('deletes them; of one with answers the place stays', async () => {
    const first = (await say('要删的')).json();
    const other = await newReader(ctx);
    const answer = (await say('还在', other.headers, { parent_id: first.id })).json();
    const lone = (await say('单独的')).json();
    expect((await remove([first.id, lone.id])).json()).toEqual({});
    const { total, comment } = await list('&parent_id=0&with_reply=true');
    expect(total).toBe(1);
    expect(comment[0]).toMatchObject({ content: '', is_deleted: true, comment_count: 1 });
    expect(comment[0].reply[0].content).toBe('还在');
    expect(await countsOf()).toEqual([1, 0]);
    await remove([answer.id], other.headers);
    expect((await list('&parent_id=0')).total).toBe(0);
    expect((await remove([first.id])).statusCode).toBe(404);
    expect((await say('回复删掉的', other.headers, { parent_id: first.id })).statusCode).toBe(404);
  });
});

describe('beans for comments', () => {
  /** More than there are connections, few enough to be served in time by a busy machine. */
  const READERS = 40;

  test('go to the author for the first five of a day when many readers comment together', async () => {
    await setSetting(ctx, 'score.document_commented_limit', '5');
    const readers = await Promise.all(range(READERS).map(() => newReader(ctx)));
    const before = await balanceOf(ctx, document.author.id);
    const answers = await Promise.all(readers.map(({ headers }, at) => say(`读者 ${at}`, headers)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await countsOf())[0]).toBe(READERS);
    expect(await balanceOf(ctx, document.author.id)).toBe(before + 5);
    await Promise.all(answers.map((answer, at) => remove([answer.json().id], readers[at]?.headers)));
    expect((await countsOf())[0]).toBe(0);
    expect(await findLedgerViolations(pool)).toEqual([]);
    await setSetting(ctx, 'score.document_commented_limit', '1');
  });

  test('are not for the own document, nor before somebody has approved', async () => {
    const before = await balanceOf(ctx, document.author.id);
    expect((await say('自己的', document.author.headers)).statusCode).toBe(200);
    expect(await balanceOf(ctx, document.author.id)).toBe(before);
    const watched = await newMember(ctx, [await newRole(ctx, [], { enable_comment_approval: true })]);
    const { id, status } = (await say('等审核', watched.headers)).json();
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
    await Promise.all(range(10).map(approve));
    expect(await balanceOf(ctx, document.author.id)).toBe(before + 1);
  });
});

describe('the counts of people', () => {
  test('stay right while documents are erased and they go on commenting elsewhere', async () => {
    const root = await as.root();
    const people = await Promise.all(range(8).map(() => newReader(ctx)));
    const [kept, ...gone] = await Promise.all(range(5).map(() => newDocument(ctx)));
    if (!kept) throw new Error('no document was made');
    const send = (url: string, person: Headers, payload: object) =>
      app.inject({ method: 'POST', url: `/api/v1${url}`, headers: person, payload });
    for (const { id } of gone)
      await Promise.all(
        people.map(({ headers }, at) =>
          at % 2
            ? send('/favorite', headers, { document_id: id })
            : send('/comment', headers, { document_id: id, content: '会消失的' }),
        ),
      );
    await pool.query('update documents set deleted_at = $2 where id = any($1)', [gone.map(({ id }) => id), clock.now]);
    const erase = (id: number) =>
      app.inject({ method: 'DELETE', url: `/api/v1/document/recycle?id=${id}`, headers: root });
    const answers = await Promise.all([
      ...gone.map(({ id }) => erase(id)),
      ...range(5).flatMap(() =>
        people.map(({ headers }) => send('/comment', headers, { document_id: kept.id, content: '还在的' })),
      ),
    ]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const { rows } = await pool.query('select distinct comment_count, favorite_count from users where id = any($1)', [
      people.map(({ id }) => id),
    ]);
    expect(rows).toEqual([{ comment_count: 5, favorite_count: 0 }]);
  });
});
