import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { balanceOf } from '#modules/credit/credit.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { downloads, purchases } from './download.table.ts';
import { addPricedDocument, newReaderWithCredit, readDownloadCount } from './download-document.fixture.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock, pool } = await testApp();
const NOON = new Date('2026-03-01T04:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(async () => {
  clock.now = NOON;
  await pool.query('delete from download_days');
  for (const [name, value] of [
    ['enable_guest_download', 'false'],
    ['free_download_duration', '0'],
    ['times_every_day', '10'],
    ['times_every_ip', '10'],
  ])
    await setSetting(ctx, `download.${name}`, value ?? '');
});

const download = (id: number, headers: Headers = {}, price?: number) =>
  app.inject({
    url: `/api/v1/document/download?id=${id}${price === undefined ? '' : `&price=${price}`}`,
    headers,
  });
const offer = async (id: number, headers: Headers = {}) =>
  (await app.inject({ url: `/api/v1/document/purchase?id=${id}`, headers })).json();
const statusAndMessage = async (response: ReturnType<typeof download>) => {
  const { statusCode, json } = await response;
  return [statusCode, json().message];
};

describe('a free document', () => {
  test('can be downloaded by users without payment, and the download is counted and recorded', async () => {
    const { id } = await addPricedDocument(ctx, 0);
    const reader = await newReaderWithCredit(ctx, 3);
    const { statusCode, json } = await download(id, reader.headers);
    expect([statusCode, json()]).toEqual([
      200,
      { url: expect.stringMatching(/^\/download\/\d+\?u=\d+&e=\d+&s=[\w-]{32}$/) },
    ]);
    expect([await readDownloadCount(ctx, id), await balanceOf(ctx, reader.id)]).toEqual([1, 3]);
    const feed = await app.inject({ url: '/api/v1/user/dynamic', headers: reader.headers });
    expect(feed.json().dynamic[0].content).toBe('下载了文档《一篇文档》');
  });

  test('can be downloaded by visitors only if the setting allows it', async () => {
    const { id } = await addPricedDocument(ctx, 0);
    expect(await statusAndMessage(download(id))).toEqual([401, '请先登录再下载']);
    await setSetting(ctx, 'download.enable_guest_download', 'true');
    expect((await download(id)).statusCode).toBe(200);
    const pricedDocument = await addPricedDocument(ctx, 2);
    expect(await statusAndMessage(download(pricedDocument.id))).toEqual([401, '付费文档，请先登录再下载']);
  });

  test('is rejected with 403 for an account whose roles do not allow downloads', async () => {
    const { id } = await addPricedDocument(ctx, 0);
    const userWithoutDownload = await newMember(ctx, [await newRole(ctx, [], { enable_download: false })]);
    expect(await statusAndMessage(download(id, userWithoutDownload.headers))).toEqual([
      403,
      '您的账户已被禁止下载文档',
    ]);
    expect((await offer(id, userWithoutDownload.headers)).message).toBe('您的账户已被禁止下载文档');
    expect(await readDownloadCount(ctx, id)).toBe(0);
  });

  test.each([
    ['waits for its conversion', { conversion_state: 'waiting' }, 409, '文档还没有转换好，暂时不能下载'],
    ['is disabled', { review_state: 'disabled' }, 404, '文档不存在'],
    ['is under review', { review_state: 'under-review' }, 404, '文档不存在'],
    ['is only for its owner', { visibility: 2 }, 404, '文档不存在'],
    ['is deleted', { deleted_at: NOON.toISOString() }, 404, '文档不存在'],
  ] as const)('cannot be downloaded while it %s', async (_, change, status, message) => {
    const { id } = await addPricedDocument(ctx, 0);
    const reader = await newReaderWithCredit(ctx);
    await ctx.db.update(documents).set(change).where(eq(documents.id, id));
    expect(await statusAndMessage(download(id, reader.headers))).toEqual([status, message]);
  });
});

describe('a paid document', () => {
  test('is paid once to its author and can be downloaded again without payment', async () => {
    const { id, author } = await addPricedDocument(ctx, 4);
    const before = await balanceOf(ctx, author.id);
    const reader = await newReaderWithCredit(ctx, 10);
    expect(await offer(id, reader.headers)).toEqual({
      price: 4,
      cost: 4,
      balance: 10,
      is_bought: false,
      bought_until: null,
      holds_days: 0,
      left_today: 10,
      may_download: true,
      code: '',
      message: '',
    });
    expect((await download(id, reader.headers, 4)).statusCode).toBe(200);
    expect((await download(id, reader.headers)).statusCode).toBe(200);
    expect(await balanceOf(ctx, reader.id)).toBe(6);
    expect(await balanceOf(ctx, author.id)).toBe(before + 4);
    expect(await offer(id, reader.headers)).toMatchObject({ cost: 0, is_bought: true, balance: 6 });
    const rows = await ctx.db.select().from(downloads).where(eq(downloads.document_id, id));
    expect(rows.map(({ price }) => price)).toEqual([4, 0]);
    const feed = await app.inject({ url: '/api/v1/user/dynamic', headers: reader.headers });
    expect(feed.json().dynamic.map(({ content }: { content: string }) => content)).toEqual([
      '下载了文档《一篇文档》',
      '下载了文档《一篇文档》，支付 4 个豆',
    ]);
    const movements = await app.inject({ url: '/api/v1/user/credit', headers: author.headers });
    expect(movements.json().credit[0]).toMatchObject({ amount: 4, reason_label: '文档被购买' });
  });

  test('is rejected with 409 when the agreed price differs from its price', async () => {
    const { id } = await addPricedDocument(ctx, 4);
    const reader = await newReaderWithCredit(ctx, 10);
    for (const price of [undefined, 3, 0])
      expect(await statusAndMessage(download(id, reader.headers, price))).toEqual([
        409,
        '文档的售价为 4 个豆，请确认后再下载',
      ]);
    expect([await balanceOf(ctx, reader.id), await readDownloadCount(ctx, id)]).toEqual([10, 0]);
    expect((await offer(id, reader.headers)).left_today).toBe(10);
  });

  test('is rejected for a reader with too little credit, and the rejection counts no download', async () => {
    const { id } = await addPricedDocument(ctx, 4);
    const reader = await newReaderWithCredit(ctx, 3);
    expect(await statusAndMessage(download(id, reader.headers, 4))).toEqual([403, '豆不足，无法下载']);
    expect(await offer(id, reader.headers)).toMatchObject({
      may_download: false,
      message: '豆不足，无法下载',
      left_today: 10,
    });
    expect(await ctx.db.select().from(purchases).where(eq(purchases.document_id, id))).toEqual([]);
  });

  test('can be downloaded without payment during the configured days and must be bought again afterwards', async () => {
    await setSetting(ctx, 'download.free_download_duration', '7');
    const { id } = await addPricedDocument(ctx, 2);
    const reader = await newReaderWithCredit(ctx, 10);
    await download(id, reader.headers, 2);
    expect((await offer(id, reader.headers)).bought_until).toBe(new Date(NOON.getTime() + 7 * DAY_MS).toISOString());
    clock.now = new Date(NOON.getTime() + 7 * DAY_MS - 1);
    expect((await download(id, reader.headers)).statusCode).toBe(200);
    clock.now = new Date(NOON.getTime() + 7 * DAY_MS);
    expect((await download(id, reader.headers)).statusCode).toBe(409);
    expect((await download(id, reader.headers, 2)).statusCode).toBe(200);
    expect(await balanceOf(ctx, reader.id)).toBe(6);
    await setSetting(ctx, 'download.free_download_duration', '0');
    clock.now = new Date(NOON.getTime() + 27 * DAY_MS);
    expect((await download(id, reader.headers)).statusCode).toBe(200);
  });

  test('is free and uncounted for its author, and free for users who manage documents', async () => {
    await setSetting(ctx, 'download.times_every_ip', '1');
    const { id, author } = await addPricedDocument(ctx, 4);
    for (const _ of [1, 2, 3]) expect((await download(id, author.headers)).statusCode).toBe(200);
    expect(await readDownloadCount(ctx, id)).toBe(0);
    const manager = await as.userWith(['DocumentAPI/GetDocument']);
    for (const _ of [1, 2]) expect((await download(id, manager)).statusCode).toBe(200);
    expect(await readDownloadCount(ctx, id)).toBe(2);
    expect(await offer(id, author.headers)).toMatchObject({ price: 4, cost: 0, left_today: -1 });
  });
});

describe('the daily download limits', () => {
  test('apply to each user and each address, with a message that contains the limit', async () => {
    await setSetting(ctx, 'download.times_every_day', '2');
    const { id } = await addPricedDocument(ctx, 0);
    const reader = await newReaderWithCredit(ctx);
    for (const remainingCount of [2, 1]) {
      expect((await offer(id, reader.headers)).left_today).toBe(remainingCount);
      expect((await download(id, reader.headers)).statusCode).toBe(200);
    }
    const limitResponse = [403, '您的账户今日下载次数已达上限(2)'];
    expect(await statusAndMessage(download(id, reader.headers))).toEqual(limitResponse);
    expect((await offer(id, reader.headers)).message).toBe(limitResponse[1]);
    await setSetting(ctx, 'download.times_every_ip', '3');
    const otherReader = await newReaderWithCredit(ctx);
    expect((await download(id, otherReader.headers)).statusCode).toBe(200);
    expect(await statusAndMessage(download(id, otherReader.headers))).toEqual([403, '您所在IP今日下载次数已达上限(3)']);
    expect(await readDownloadCount(ctx, id)).toBe(3);
  });

  test('do not count repeated downloads of a bought document for the address', async () => {
    await setSetting(ctx, 'download.times_every_ip', '1');
    const { id } = await addPricedDocument(ctx, 4);
    const reader = await newReaderWithCredit(ctx, 10);
    expect((await download(id, reader.headers, 4)).statusCode).toBe(200);
    expect(await offer(id, reader.headers)).toMatchObject({ may_download: true, left_today: 9 });
    for (let time = 0; time < 3; time += 1) expect((await download(id, reader.headers)).statusCode).toBe(200);
    const otherReader = await newReaderWithCredit(ctx, 10);
    expect(await statusAndMessage(download(id, otherReader.headers, 4))).toEqual([
      403,
      '您所在IP今日下载次数已达上限(1)',
    ]);
  });

  test('are reset at midnight in the time zone of the site, not of the server', async () => {
    await setSetting(ctx, 'download.times_every_day', '1');
    const { id } = await addPricedDocument(ctx, 0);
    const reader = await newReaderWithCredit(ctx);
    clock.now = new Date('2026-03-01T15:59:59Z');
    expect((await download(id, reader.headers)).statusCode).toBe(200);
    expect((await download(id, reader.headers)).statusCode).toBe(403);
    clock.now = new Date('2026-03-01T16:00:00Z');
    expect((await download(id, reader.headers)).statusCode).toBe(200);
  });

  test('are exact for concurrent downloads, and 0 allows none', async () => {
    await setSetting(ctx, 'download.times_every_day', '5');
    await setSetting(ctx, 'download.times_every_ip', '1000');
    const { id } = await addPricedDocument(ctx, 0);
    const reader = await newReaderWithCredit(ctx);
    const responses = await Promise.all(Array.from({ length: 20 }, () => download(id, reader.headers)));
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
    expect(await readDownloadCount(ctx, id)).toBe(5);
    await setSetting(ctx, 'download.times_every_ip', '0');
    expect(await statusAndMessage(download(id, (await newReaderWithCredit(ctx)).headers))).toEqual([
      403,
      '您所在IP今日下载次数已达上限(0)',
    ]);
  });
});

test('the download list of a user is sorted newest first, without documents that are no longer visible', async () => {
  const [first, second, deletedDocument] = [
    await addPricedDocument(ctx, 0, { title: '第一篇' }),
    await addPricedDocument(ctx, 1, { title: '第二篇' }),
    await addPricedDocument(ctx, 0, { title: '删掉的' }),
  ];
  const reader = await newReaderWithCredit(ctx, 5);
  await download(first.id, reader.headers);
  await download(second.id, reader.headers, 1);
  await download(deletedDocument.id, reader.headers);
  await download((await addPricedDocument(ctx, 0)).id, (await newReaderWithCredit(ctx)).headers);
  await ctx.db.update(documents).set({ deleted_at: NOON.toISOString() }).where(eq(documents.id, deletedDocument.id));
  const { headers } = reader;
  const { total, download: rows } = (await app.inject({ url: '/api/v1/document/download/list', headers })).json();
  expect(total).toBe(2);
  expect(
    rows.map(({ document, price, is_pay }: { document: { title: string }; price: number; is_pay: boolean }) => [
      document.title,
      price,
      is_pay,
    ]),
  ).toEqual([
    ['第二篇', 1, true],
    ['第一篇', 0, false],
  ]);
});
