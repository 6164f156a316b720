import { beforeEach, describe, expect, test } from 'vitest';
import { range } from '#modules/credit/credit.fixture.ts';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { newMember, newRole, newStaff } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import type { CommentItem } from './comment.contract.ts';
import { findMentions } from './find-mentions.ts';
import { findSensitive } from './sensitive-words.ts';

const { app, ctx, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const watchedRole = await newRole(ctx, [], { enable_comment_approval: true });
const staff = await newStaff(ctx, [
  ...['ListComment', 'GetComment', 'CheckComment', 'UpdateComment', 'DeleteComment'].map(
    (name) => `CommentAPI/${name}`,
  ),
]);
type Headers = { authorization?: string };
let document: Awaited<ReturnType<typeof newDocument>>;
let watched: Awaited<ReturnType<typeof newMember>>;
beforeEach(async () => {
  document = await newDocument(ctx);
  watched = await newMember(ctx, [watchedRole]);
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, headers: Headers, payload?: object) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const say = async (content: string, headers: Headers = watched.headers) =>
  (await send('POST', '/comment', headers, { document_id: document.id, content })).json();
const list = async (query: string, headers: Headers = {}) =>
  (await app.inject({ url: `/api/v1/comment/list?${query}`, headers })).json();
const check = (id: number[], status: number, reason = '') =>
  send('POST', '/comment/check', staff.headers, { id, status, reason });
const toldOf = async (headers: Headers) =>
  (await app.inject({ url: '/api/v1/notification/list', headers }))
    .json()
    .notification.map(({ content }: { content: string }) => content);

describe('comments that need a review', () => {
  test('are seen by their author and those who manage them, and by everybody once approved', async () => {
    const { id } = await say('等一等');
    const shown = `document_id=${document.id}`;
    expect((await list(shown)).total).toBe(0);
    expect((await list(shown, watched.headers)).comment).toMatchObject([{ id, status: 0 }]);
    expect((await list('status=0', staff.headers)).comment).toMatchObject([{ id }]);
    expect((await check([id], 1)).json()).toEqual({});
    expect((await list(shown)).total).toBe(1);
    expect(await toldOf(watched.headers)).toEqual(['您对《一篇文档》的评论“等一等”已通过审核']);
    expect(await toldOf(document.author.headers)).toEqual([`${watched.username} 评论了您的文档《一篇文档》：等一等`]);
  });

  test('may be refused with a reason that only their author reads', async () => {
    const { id } = await say('广告');
    await check([id], 2, '请勿发布广告');
    expect((await list(`document_id=${document.id}`, watched.headers)).comment).toMatchObject([
      { status: 2, reject_reason: '请勿发布广告' },
    ]);
    expect(await toldOf(watched.headers)).toEqual(['您对《一篇文档》的评论“广告”没有通过审核：请勿发布广告']);
    expect(await toldOf(document.author.headers)).toEqual([]);
    // Written anew it is looked at again.
    await send('PUT', '/comment', watched.headers, { id, content: '正经的评论' });
    expect((await list(`document_id=${document.id}`, watched.headers)).comment[0].status).toBe(0);
  });

  test('are decided on together: all or none, and the counts are exact however often', async () => {
    const ids: number[] = [];
    for (const at of range(10)) ids.push((await say(`第 ${at} 条`)).id);
    expect((await check([...ids, 999_999], 1)).statusCode).toBe(404);
    await Promise.all(range(20).map((at) => check(ids, at % 2 ? 1 : 2)));
    await Promise.all(range(5).map(() => check(ids, 1)));
    const { rows } = await pool.query('select comment_count from documents where id = $1', [document.id]);
    expect(rows[0].comment_count).toBe(10);
    await check(ids, 0);
    const left = await pool.query('select comment_count from documents where id = $1', [document.id]);
    expect(left.rows[0].comment_count).toBe(0);
  });

  test('are found by words, state and person, in the order asked for', async () => {
    const [one, other] = [await say('苹果很甜'), await say('梨子也甜')];
    await check([one.id], 1);
    const found = async (query: string) => (await list(query, staff.headers)).comment.map(({ id }: CommentItem) => id);
    expect(await found('wd=苹果')).toEqual([one.id]);
    expect(await found(`user_id=${watched.id}&status=0`)).toEqual([other.id]);
    expect(await found(`user_id=${watched.id}&order=id asc`)).toEqual([one.id, other.id]);
    const titled = await list(`user_id=${watched.id}&with_document_title=true`, staff.headers);
    expect(titled.comment[0].document_title).toBe('一篇文档');
    const whole = await app.inject({ url: `/api/v1/comment?id=${one.id}`, headers: staff.headers });
    expect(whole.json().content).toBe('苹果很甜');
  });

  test('cleaned and approved in one save are told in their new words only', async () => {
    const { id } = await say('难听的话');
    await send('PUT', '/comment', staff.headers, { id, content: '好听的话', status: 1 });
    expect(await toldOf(document.author.headers)).toEqual([`${watched.username} 评论了您的文档《一篇文档》：好听的话`]);
    expect(await toldOf(watched.headers)).toEqual(['您对《一篇文档》的评论“好听的话”已通过审核']);
  });

  test('once published tell nobody any more when they are changed, refused or deleted', async () => {
    const { headers } = document.author;
    const { id } = await say('第一稿');
    await check([id], 1);
    await send('PUT', '/comment', staff.headers, { id, content: '第二稿' });
    expect(await toldOf(headers)).toEqual([`${watched.username} 评论了您的文档《一篇文档》：第二稿`]);
    await check([id], 2);
    expect(await toldOf(headers)).toEqual([]);
    await check([id], 1);
    expect(await toldOf(headers)).toHaveLength(1);
    await send('DELETE', `/comment?id=${id}`, staff.headers);
    expect(await toldOf(headers)).toEqual([]);
  });

  test('written anew and approved again are told to those who are named only now', async () => {
    const { headers } = document.author;
    const named = await newMember(ctx, [watchedRole]);
    const { id } = await say('没有提到谁');
    await check([id], 1);
    await send('PUT', '/comment', watched.headers, { id, content: `@${named.username} 请看` });
    expect([await toldOf(headers), await toldOf(named.headers)]).toEqual([[], []]);
    await check([id], 1);
    expect(await toldOf(named.headers)).toEqual([
      `${watched.username} 在《一篇文档》的评论中提到了您：@${named.username} 请看`,
    ]);
    expect(await toldOf(headers)).toHaveLength(1);
  });

  test('are not rewritten by whoever may not comment any more', async () => {
    const role = await newRole(ctx, [], { enable_comment: true });
    const person = await newMember(ctx, [role]);
    const { id } = await say('还可以说', person.headers);
    await pool.query('update roles set enable_comment = false where id = $1', [role]);
    const answer = await send('PUT', '/comment', person.headers, { id, content: '再说' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'comment.notAllowed']);
  });

  test('are changed and deleted by those who may, and it is written down', async () => {
    const { id } = await say('原来的话');
    await send('PUT', '/comment', staff.headers, { id, content: '改过的话', status: 1 });
    expect((await list(`document_id=${document.id}`)).comment[0].content).toBe('改过的话');
    expect((await send('DELETE', `/comment?id=${id}`, staff.headers)).json()).toEqual({});
    const { rows } = await pool.query(
      'select action, target from audit_logs where user_id = $1 order by id desc limit 2',
      [staff.id],
    );
    expect(rows).toEqual([
      { action: '删除评论', target: `评论 ${id} 改过的话` },
      { action: '更新评论', target: `评论 ${id} 原来的话` },
    ]);
  });
});

describe('sensitive words', () => {
  test.each([
    ['加微 信', ['加微信'], '加微信'],
    ['加-微.信', ['加微信'], '加微信'],
    ['ＢＵＹ now', ['buy'], 'buy'],
    ['專業代寫論文', ['代写论文'], '代写论文'],
    ['专业代写论文', ['代寫論文'], '代寫論文'],
    ['普通的话', ['加微信', 'buy'], undefined],
    ['什么都可以', [], undefined],
  ])('in “%s” are found however they are written', (text, words, found) => {
    expect(findSensitive(text, words)).toBe(found);
  });

  test('send a comment to review, or are refused, as the site decides', async () => {
    await setSetting(ctx, 'security.sensitive_words', '加微信\n代写,代考');
    const reader = await newReader(ctx);
    expect(await say('需要请加 微信', reader.headers)).toMatchObject({ status: 0 });
    expect(await say('没有问题', reader.headers)).toMatchObject({ status: 1 });
    await setSetting(ctx, 'security.sensitive_action', 'refuse');
    expect(await say('专业代考', reader.headers)).toMatchObject({ code: 'comment.sensitive' });
    await setSetting(ctx, 'security.sensitive_action', 'review');
    await setSetting(ctx, 'security.sensitive_words', '');
  });
});

describe('a name after @', () => {
  test('is that of whoever has the longest that fits, also where Chinese goes on without a space', async () => {
    const named = async (text: string) => (await findMentions(ctx, text)).map(({ username }) => username);
    await pool.query(
      `insert into users (username, password_hash) values ('张三丰', '-'), ('张三丰子', '-'), ('wind_rider', '-')`,
    );
    expect(await named('@张三丰你好')).toEqual(['张三丰']);
    expect(await named('请教@张三丰子，谢谢')).toEqual([]);
    expect(await named('请教 @张三丰子，谢谢 @Wind_Rider')).toEqual(['张三丰子', 'wind_rider']);
    expect(await named('写信到 me@wind_rider')).toEqual([]);
    expect(await named('@nobody_at_all')).toEqual([]);
  });

  test('is told to them, once for each comment', async () => {
    const reader = await newMember(ctx, [watchedRole]);
    const { id, mention } = await say(`@${reader.username} 请看，@${reader.username}`);
    expect(mention).toEqual([{ id: reader.id, username: reader.username }]);
    expect(await toldOf(reader.headers)).toEqual([]);
    await check([id], 1);
    expect(await toldOf(reader.headers)).toEqual([
      `${watched.username} 在《一篇文档》的评论中提到了您：@${reader.username} 请看，@${reader.username}`,
    ]);
  });
});
