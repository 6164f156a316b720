import { describe, expect, test } from 'vitest';
import { balanceOf } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { amountForTier } from '#testing/test-tier.ts';
import {
  addConvertedDocument,
  addDocument,
  addRewardedDocument,
  createCategoryChain,
  newUploader,
  payAwards,
  readDocumentCounts,
  setConversionState,
} from '../document.fixture.ts';

const { app, ctx, as, pool, clock } = await testApp();
type Headers = { authorization?: string };

const request = (method: 'GET' | 'PUT' | 'DELETE', path: string, headers: Headers, ids: number[] = []) =>
  method === 'PUT'
    ? app.inject({ method, url: `/api/v1${path}`, headers, payload: { id: ids } })
    : app.inject({
        method,
        url: `/api/v1${path}?${ids.map((id) => `id=${id}`).join('&')}`,
        headers,
      });
const remove = (headers: Headers, ids: number[]) => request('DELETE', '/document', headers, ids);
const restore = (headers: Headers, ids: number[]) => request('PUT', '/document/recycle', headers, ids);
const statusOf = async (answer: ReturnType<typeof request>) => (await answer).statusCode;
const category_id = await createCategoryChain(ctx);
const root = await as.root();
const advanceDays = (days: number) => {
  clock.now = new Date(clock.now.getTime() + days * 86_400_000);
};

describe('deleting documents', () => {
  test('moves them to the recycle bin, which owner and managers can list', async () => {
    const owner = await newUploader(ctx);
    const { id } = await addDocument(ctx, owner, { category_id, title: '要删的' });
    expect(await statusOf(remove(owner.headers, [id]))).toBe(200);
    expect(await statusOf(request('GET', '/document', root, [id]))).toBe(404);
    const bin = async (headers: Headers) => (await request('GET', '/document/recycle', headers)).json();
    expect(await bin(owner.headers)).toMatchObject({
      total: 1,
      document: [{ id, title: '要删的', deleted_user_id: owner.id, deleted_username: owner.username }],
    });
    expect((await bin(root)).document[0]).toMatchObject({ id, username: owner.username });
    expect((await bin((await newUploader(ctx)).headers)).total).toBe(0);
  });

  test('is rejected for all if one belongs to another user or does not exist', async () => {
    const [owner, otherUser] = [await newUploader(ctx), await newUploader(ctx)];
    const { id: otherUsersDocumentId } = await addDocument(ctx, otherUser, { category_id });
    const { id: ownerId } = await addDocument(ctx, owner, { category_id });
    for (const ids of [
      [ownerId],
      [otherUsersDocumentId, ownerId],
      [ownerId, otherUsersDocumentId],
      [otherUsersDocumentId, 999_999],
    ]) {
      expect([403, 404]).toContain(await statusOf(remove(otherUser.headers, ids)));
      expect(await statusOf(request('GET', '/document', otherUser.headers, [otherUsersDocumentId]))).toBe(200);
      expect(await statusOf(request('GET', '/document', otherUser.headers, [ownerId]))).toBe(200);
    }
  });

  test('is possible during conversion, and a restored document has the current conversion status', async () => {
    const owner = await newUploader(ctx);
    const { id } = await addDocument(ctx, owner, { category_id });
    await setConversionState(ctx, id, 'converting');
    expect(await statusOf(remove(owner.headers, [id]))).toBe(200);
    await setConversionState(ctx, id, 'ready');
    expect(await statusOf(restore(owner.headers, [id]))).toBe(200);
    const row = (await request('GET', '/document', as.visitor, [id])).json();
    expect([row.status, row.pages]).toEqual([2, 3]);
  });
});

test('the owner is notified when an administrator deletes a document', async () => {
  const owner = await newUploader(ctx);
  const { id } = await addDocument(ctx, owner, { category_id });
  expect(await statusOf(remove(root, [id]))).toBe(200);
  const { rows } = await ctx.db.execute(
    `select user_id::int, payload->>'decision' as decision from notifications
     where payload->'document'->>'id' = '${id}'`,
  );
  expect(rows).toEqual([{ user_id: owner.id, decision: '已被删除' }]);
});

describe('credit for uploads and deletions', () => {
  test('charges the owner at most the upload award on deletion and returns it on restoration', async () => {
    const owner = await newUploader(ctx);
    const rewardedId = await addRewardedDocument(ctx, owner, { category_id });
    const unrewardedId = await addRewardedDocument(ctx, owner, { category_id });
    expect(await balanceOf(ctx, owner.id)).toBe(5);
    await remove(owner.headers, [unrewardedId]);
    expect(await balanceOf(ctx, owner.id)).toBe(5);
    await remove(owner.headers, [rewardedId]);
    expect(await balanceOf(ctx, owner.id)).toBe(4);
    await restore(owner.headers, [rewardedId, unrewardedId]);
    expect(await balanceOf(ctx, owner.id)).toBe(5);
    const { dynamic } = (await app.inject({ url: '/api/v1/user/dynamic', headers: owner.headers })).json();
    expect(dynamic.map(({ content }: { content: string }) => content)).toEqual([
      '删除了文档《一篇文档》，扣除 1 个豆',
      '删除了文档《一篇文档》',
      '上传了文档《一篇文档》',
      '上传了文档《一篇文档》，获得 5 个豆奖励',
    ]);
  });

  test('names the document in every ledger entry', async () => {
    const owner = await newUploader(ctx);
    const id = await addRewardedDocument(ctx, owner, { category_id, title: '会计入门' });
    await remove(owner.headers, [id]);
    await restore(owner.headers, [id]);
    const answer = await app.inject({ url: '/api/v1/user/credit', headers: owner.headers });
    const { credit } = answer.json();
    expect(credit.map(({ reason_label, note }: Record<string, string>) => [reason_label, note])).toEqual([
      ['恢复文档退还', '会计入门'],
      ['删除文档扣除', '会计入门'],
      ['上传文档奖励', '会计入门'],
    ]);
  });

  test('limits the deletion penalty to the award and to the balance', async () => {
    await setSetting(ctx, 'score.delete_document', '50');
    try {
      const owner = await newUploader(ctx);
      const id = await addRewardedDocument(ctx, owner, { category_id });
      await remove(owner.headers, [id]);
      expect(await balanceOf(ctx, owner.id)).toBe(0);
      await restore(owner.headers, [id]);
      expect(await balanceOf(ctx, owner.id)).toBe(5);
      const spend = { user_id: owner.id, amount: -3, note: '花掉' };
      await app.inject({
        method: 'POST',
        url: '/api/v1/user/credit',
        headers: root,
        payload: spend,
      });
      expect(await statusOf(remove(owner.headers, [id]))).toBe(200);
      expect(await balanceOf(ctx, owner.id)).toBe(0);
      await restore(owner.headers, [id]);
      expect(await balanceOf(ctx, owner.id)).toBe(2);
    } finally {
      await setSetting(ctx, 'score.delete_document', '1');
    }
  });

  test('charges nothing when an administrator deletes a document', async () => {
    const owner = await newUploader(ctx);
    const id = await addRewardedDocument(ctx, owner, { category_id });
    await remove(await as.userWith(['DocumentAPI/DeleteDocument']), [id]);
    expect(await balanceOf(ctx, owner.id)).toBe(5);
    await restore(root, [id]);
    expect(await balanceOf(ctx, owner.id)).toBe(5);
  });

  test('is unchanged after many deletions and restorations', async () => {
    const deletionCount = amountForTier({ quick: 10, full: 100 });
    const owner = await newUploader(ctx);
    const id = await addRewardedDocument(ctx, owner, { category_id });
    for (let time = 0; time < deletionCount; time += 1) {
      expect(await statusOf(remove(owner.headers, [id]))).toBe(200);
      expect(await statusOf(restore(owner.headers, [id]))).toBe(200);
    }
    expect(await balanceOf(ctx, owner.id)).toBe(5);
    const { rows } = await pool.query(
      `select sum(amount)::int as sum, count(*)::int as movements from ledger_entries where account = $1`,
      [`user:${owner.id}`],
    );
    expect(rows).toEqual([{ sum: 5, movements: 2 * deletionCount + 1 }]);
    expect(await findLedgerViolations(pool)).toEqual([]);
  });

  test('is charged and returned once per concurrent deletion and restoration of one document', async () => {
    const owner = await newUploader(ctx);
    const id = await addRewardedDocument(ctx, owner, { category_id });
    for (const change of [remove, restore, remove]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => statusOf(change(owner.headers, [id]))));
      expect(answers.sort()).toEqual([200, ...Array(9).fill(404)]);
    }
    expect(await balanceOf(ctx, owner.id)).toBe(4);
  });

  test('is awarded for only ten of many concurrent uploads per day', async () => {
    const waveCount = amountForTier({ quick: 1, full: 4 });
    await setSetting(ctx, 'score.upload_document_limit', '10');
    const owner = await newUploader(ctx);
    // More concurrent uploads than database connections.
    for (let wave = 0; wave < waveCount; wave++)
      await Promise.all(Array.from({ length: 25 }, () => addConvertedDocument(ctx, owner, { category_id })));
    await Promise.all([payAwards(ctx), payAwards(ctx)]);
    expect(await balanceOf(ctx, owner.id)).toBe(50);
    const { rows } = await pool.query('select count(*)::int as n from documents where user_id = $1 and award > 0', [
      owner.id,
    ]);
    expect(rows).toEqual([{ n: 10 }]);
    expect((await readDocumentCounts(ctx, owner.id, category_id)).user).toBe(25 * waveCount);
    expect(await findLedgerViolations(pool)).toEqual([]);
  });
});

describe('restoring documents', () => {
  test('is allowed for the owner within recycle_days and for managers at any time', async () => {
    const owner = await newUploader(ctx);
    const [{ id: first }, { id: second }] = [
      await addDocument(ctx, owner, { category_id }),
      await addDocument(ctx, owner, { category_id }),
    ];
    await remove(owner.headers, [first, second]);
    advanceDays(29);
    expect(await statusOf(restore(owner.headers, [first]))).toBe(200);
    advanceDays(2);
    const lateResponse = await restore(owner.headers, [second]);
    expect([lateResponse.statusCode, lateResponse.json().code]).toEqual([409, 'document.restoreExpired']);
    expect(await statusOf(restore(await as.userWith(['RecycleAPI/RecoverRecycleDocument']), [second]))).toBe(200);
  });

  test('is rejected for the owner if an administrator deleted the document', async () => {
    const owner = await newUploader(ctx);
    const { id } = await addDocument(ctx, owner, { category_id });
    // The clock has moved past the expiry of the first session.
    const administrator = await as.root();
    await remove(administrator, [id]);
    expect(await statusOf(restore(owner.headers, [id]))).toBe(403);
    expect(await statusOf(restore(administrator, [id]))).toBe(200);
  });

  test('restores categories and counts', async () => {
    const owner = await newUploader(ctx);
    const branch = await createCategoryChain(ctx, 3);
    const { id } = await addDocument(ctx, owner, { category_id: branch });
    await remove(owner.headers, [id]);
    expect(await readDocumentCounts(ctx, owner.id, branch)).toEqual({ user: 0, categories: [0, 0, 0] });
    await restore(owner.headers, [id]);
    expect(await readDocumentCounts(ctx, owner.id, branch)).toEqual({ user: 1, categories: [1, 1, 1] });
    expect((await request('GET', '/document', as.visitor, [id])).json().category_id).toEqual(branch);
  });

  test('restores favorites, ratings and comments', async () => {
    await setSetting(ctx, 'security.enable_captcha_comment', 'false');
    const owner = await newUploader(ctx);
    const { id } = await addDocument(ctx, owner, { category_id });
    await setConversionState(ctx, id);
    const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
    const post = (path: string, payload: object) =>
      app.inject({
        method: 'POST',
        url: `/api/v1${path}`,
        headers: reader.headers,
        payload: { document_id: id, ...payload },
      });
    for (const [path, payload] of [
      ['/favorite', {}],
      ['/document/score', { score: 400 }],
      ['/comment', { content: '写得清楚' }],
    ] as const)
      expect([path, await statusOf(post(path, payload))]).toEqual([path, 200]);
    const reactions = async () => {
      const { favorite_count, score, score_count, comment_count } = (
        await request('GET', '/document', as.visitor, [id])
      ).json();
      const { comment = [] } = (await app.inject({ url: `/api/v1/comment/list?document_id=${id}` })).json();
      const comments = comment.map(({ content }: { content: string }) => content);
      return { favorite_count, score, score_count, comment_count, comments };
    };
    const before = await reactions();
    expect(before).toEqual({
      favorite_count: 1,
      score: 400,
      score_count: 1,
      comment_count: 1,
      comments: ['写得清楚'],
    });
    await remove(owner.headers, [id]);
    expect((await reactions()).comments).toEqual([]);
    await restore(owner.headers, [id]);
    expect(await reactions()).toEqual(before);
  });
});
