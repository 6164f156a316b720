import { beforeEach, describe, expect, test } from 'vitest';
import { numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { newMember, newRole, newStaff } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import type { CommentItem } from './comment.contract.ts';
import { findMentions } from './find-mentions.ts';
import { findSensitiveWord } from './sensitive-words.ts';

const { app, ctx, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const reviewedRole = await newRole(ctx, [], { enable_comment_approval: true });
const staff = await newStaff(ctx, [
  ...['ListComment', 'GetComment', 'CheckComment', 'UpdateComment', 'DeleteComment'].map(
    (name) => `CommentAPI/${name}`,
  ),
]);
type Headers = { authorization?: string };
let document: Awaited<ReturnType<typeof newDocument>>;
let reviewedMember: Awaited<ReturnType<typeof newMember>>;
beforeEach(async () => {
  document = await newDocument(ctx);
  reviewedMember = await newMember(ctx, [reviewedRole]);
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, headers: Headers, payload?: object) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const post = async (content: string, headers: Headers = reviewedMember.headers) =>
  (await send('POST', '/comment', headers, { document_id: document.id, content })).json();
const list = async (query: string, headers: Headers = {}) =>
  (await app.inject({ url: `/api/v1/comment/list?${query}`, headers })).json();
const check = (id: number[], status: number, reason = '') =>
  send('POST', '/comment/check', staff.headers, { id, status, reason });
const notificationTexts = async (headers: Headers) =>
  (await app.inject({ url: '/api/v1/notification/list', headers }))
    .json()
    .notification.map(({ content }: { content: string }) => content);

describe('comments that need a review', () => {
  test('are visible to their author and to comment managers, and to everyone after approval', async () => {
    const { id } = await post('等一等');
    const query = `document_id=${document.id}`;
    expect((await list(query)).total).toBe(0);
    expect((await list(query, reviewedMember.headers)).comment).toMatchObject([{ id, status: 0 }]);
    expect((await list('status=0', staff.headers)).comment).toMatchObject([{ id }]);
    expect((await check([id], 1)).json()).toEqual({});
    expect((await list(query)).total).toBe(1);
    expect(await notificationTexts(reviewedMember.headers)).toEqual(['您对《一篇文档》的评论“等一等”已通过审核']);
    expect(await notificationTexts(document.author.headers)).toEqual([
      `${reviewedMember.username} 评论了您的文档《一篇文档》：等一等`,
    ]);
  });

  test('can be rejected with a reason that only their author sees', async () => {
    const { id } = await post('广告');
    await check([id], 2, '请勿发布广告');
    expect((await list(`document_id=${document.id}`, reviewedMember.headers)).comment).toMatchObject([
      { status: 2, reject_reason: '请勿发布广告' },
    ]);
    expect(await notificationTexts(reviewedMember.headers)).toEqual([
      '您对《一篇文档》的评论“广告”没有通过审核：请勿发布广告',
    ]);
    expect(await notificationTexts(document.author.headers)).toEqual([]);
    // An edited comment needs a new review.
    await send('PUT', '/comment', reviewedMember.headers, { id, content: '正经的评论' });
    expect((await list(`document_id=${document.id}`, reviewedMember.headers)).comment[0].status).toBe(0);
  });

  test('are reviewed in bulk, all or none, and repeated reviews leave exact counts', async () => {
    const ids: number[] = [];
    for (const at of numbersUpTo(10)) ids.push((await post(`第 ${at} 条`)).id);
    expect((await check([...ids, 999_999], 1)).statusCode).toBe(404);
    await Promise.all(numbersUpTo(20).map((at) => check(ids, at % 2 ? 1 : 2)));
    await Promise.all(numbersUpTo(5).map(() => check(ids, 1)));
    const { rows } = await pool.query('select comment_count from documents where id = $1', [document.id]);
    expect(rows[0].comment_count).toBe(10);
    await check(ids, 0);
    const afterReset = await pool.query('select comment_count from documents where id = $1', [document.id]);
    expect(afterReset.rows[0].comment_count).toBe(0);
  });

  test('are listed for managers by keyword, status and user in the requested order', async () => {
    const [firstComment, secondComment] = [await post('苹果很甜'), await post('梨子也甜')];
    await check([firstComment.id], 1);
    const idsFor = async (query: string) => (await list(query, staff.headers)).comment.map(({ id }: CommentItem) => id);
    expect(await idsFor('wd=苹果')).toEqual([firstComment.id]);
    expect(await idsFor(`user_id=${reviewedMember.id}&status=0`)).toEqual([secondComment.id]);
    expect(await idsFor(`user_id=${reviewedMember.id}&order=id asc`)).toEqual([firstComment.id, secondComment.id]);
    const withTitles = await list(`user_id=${reviewedMember.id}&with_document_title=true`, staff.headers);
    expect(withTitles.comment[0].document_title).toBe('一篇文档');
    const single = await app.inject({ url: `/api/v1/comment?id=${firstComment.id}`, headers: staff.headers });
    expect(single.json().content).toBe('苹果很甜');
  });

  test('that are edited and approved in one request are notified with the new text only', async () => {
    const { id } = await post('难听的话');
    await send('PUT', '/comment', staff.headers, { id, content: '好听的话', status: 1 });
    expect(await notificationTexts(document.author.headers)).toEqual([
      `${reviewedMember.username} 评论了您的文档《一篇文档》：好听的话`,
    ]);
    expect(await notificationTexts(reviewedMember.headers)).toEqual(['您对《一篇文档》的评论“好听的话”已通过审核']);
  });

  test('have their notification updated by an edit and retracted by rejection or deletion', async () => {
    const { headers } = document.author;
    const { id } = await post('第一稿');
    await check([id], 1);
    await send('PUT', '/comment', staff.headers, { id, content: '第二稿' });
    expect(await notificationTexts(headers)).toEqual([`${reviewedMember.username} 评论了您的文档《一篇文档》：第二稿`]);
    await check([id], 2);
    expect(await notificationTexts(headers)).toEqual([]);
    await check([id], 1);
    expect(await notificationTexts(headers)).toHaveLength(1);
    await send('DELETE', `/comment?id=${id}`, staff.headers);
    expect(await notificationTexts(headers)).toEqual([]);
  });

  test('that are edited and approved again notify newly mentioned users', async () => {
    const { headers } = document.author;
    const mentionedMember = await newMember(ctx, [reviewedRole]);
    const { id } = await post('没有提到谁');
    await check([id], 1);
    await send('PUT', '/comment', reviewedMember.headers, { id, content: `@${mentionedMember.username} 请看` });
    expect([await notificationTexts(headers), await notificationTexts(mentionedMember.headers)]).toEqual([[], []]);
    await check([id], 1);
    expect(await notificationTexts(mentionedMember.headers)).toEqual([
      `${reviewedMember.username} 在《一篇文档》的评论中提到了您：@${mentionedMember.username} 请看`,
    ]);
    expect(await notificationTexts(headers)).toHaveLength(1);
  });

  test('cannot be edited by an author who lost the right to comment', async () => {
    const role = await newRole(ctx, [], { enable_comment: true });
    const person = await newMember(ctx, [role]);
    const { id } = await post('还可以说', person.headers);
    await pool.query('update roles set enable_comment = false where id = $1', [role]);
    const response = await send('PUT', '/comment', person.headers, { id, content: '再说' });
    expect([response.statusCode, response.json().code]).toEqual([403, 'comment.notAllowed']);
  });

  test('are edited and deleted by managers, which the audit log records', async () => {
    const { id } = await post('原来的话');
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
  ])('in “%s” are found regardless of case, width, script and separators', (text, words, match) => {
    expect(findSensitiveWord(text, words)).toBe(match);
  });

  test('send a comment to review or reject it, depending on the setting', async () => {
    await setSetting(ctx, 'security.sensitive_words', '加微信\n代写,代考');
    const reader = await newReader(ctx);
    expect(await post('需要请加 微信', reader.headers)).toMatchObject({ status: 0 });
    expect(await post('没有问题', reader.headers)).toMatchObject({ status: 1 });
    await setSetting(ctx, 'security.sensitive_action', 'refuse');
    expect(await post('专业代考', reader.headers)).toMatchObject({ code: 'comment.sensitive' });
    await setSetting(ctx, 'security.sensitive_action', 'review');
    await setSetting(ctx, 'security.sensitive_words', '');
  });
});

describe('a mention', () => {
  test('resolves to the longest matching user name, also when Chinese text follows without a space', async () => {
    const mentionedNames = async (text: string) => (await findMentions(ctx, text)).map(({ username }) => username);
    await pool.query(
      `insert into users (username, password_hash) values ('张三丰', '-'), ('张三丰子', '-'), ('wind_rider', '-')`,
    );
    expect(await mentionedNames('@张三丰你好')).toEqual(['张三丰']);
    expect(await mentionedNames('请教@张三丰子，谢谢')).toEqual([]);
    expect(await mentionedNames('请教 @张三丰子，谢谢 @Wind_Rider')).toEqual(['张三丰子', 'wind_rider']);
    expect(await mentionedNames('写信到 me@wind_rider')).toEqual([]);
    expect(await mentionedNames('@unknown_user')).toEqual([]);
  });

  test('notifies the user once per comment', async () => {
    const reader = await newMember(ctx, [reviewedRole]);
    const { id, mention } = await post(`@${reader.username} 请看，@${reader.username}`);
    expect(mention).toEqual([{ id: reader.id, username: reader.username }]);
    expect(await notificationTexts(reader.headers)).toEqual([]);
    await check([id], 1);
    expect(await notificationTexts(reader.headers)).toEqual([
      `${reviewedMember.username} 在《一篇文档》的评论中提到了您：@${reader.username} 请看，@${reader.username}`,
    ]);
  });
});
