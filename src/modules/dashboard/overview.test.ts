import { beforeEach, describe, expect, test } from 'vitest';
import type { DocumentStatus } from '#modules/document/document.contract.ts';
import { addDocument, changeDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { testApp } from '#testing/test-app.ts';

const { app, as, ctx, pool, clock } = await testApp();
const requestDashboard = async (part: string, headers: { authorization?: string }) =>
  app.inject({ url: `/api/v1/dashboard/${part}`, headers });
// Figures are cached for a minute.
beforeEach(() => {
  clock.now = new Date(clock.now.getTime() + 61_000);
});

const member = await newUploader(ctx);
const document = async (status: DocumentStatus) => {
  const { id } = await addDocument(ctx, member, { category_id: await createCategoryChain(ctx) });
  await changeDocument(ctx, id, { status });
  return id;
};

describe('the overview of the dashboard', () => {
  test('counts pending documents, reports, comments and failures without a cache', async () => {
    const root = await as.root();
    const pendingTotals = async () =>
      Object.fromEntries(
        (await requestDashboard('overview', root))
          .json()
          .pending.map(({ name, total }: { name: string; total: number }) => [name, total]),
      );
    expect(await pendingTotals()).toEqual({ review: 0, report: 0, comment: 0, failed: 0 });
    const id = await document(6);
    await document(3);
    await pool.query(
      `insert into comments (user_id, document_id, content, status, created_at)
       values ($1, $2, '待审', 0, now())`,
      [member.id, id],
    );
    await pool.query(
      `insert into reports (user_id, document_id, document_title, reason, created_at)
       values ($1, $2, '一篇文档', 1, now())`,
      [member.id, id],
    );
    expect(await pendingTotals()).toEqual({ review: 1, report: 1, comment: 1, failed: 1 });
    await pool.query('update documents set deleted_at = now() where id = $1', [id]);
    expect(await pendingTotals()).toMatchObject({ review: 0, failed: 1 });
  });

  test('contains totals, system information and disk space', async () => {
    const { stats, system, device, queue } = (await requestDashboard('overview', await as.root())).json();
    const { rows } = await pool.query('select count(*)::int as total from users');
    expect(stats).toMatchObject({ user: rows[0].total, document: 1, comment: 1, report: 1 });
    expect(system).toMatchObject({ mode: 'all', node: process.version, storage: '本地文件夹' });
    expect(device.disk_total).toBeGreaterThan(device.disk_free);
    expect(device.database_size).toBeGreaterThan(1_000_000);
    expect(queue).toEqual({ waiting: expect.any(Number), running: 0, failed: 0 });
  });

  test('contains only parts for which the user has the permission', async () => {
    const emptyOverview = { pending: [], stats: null, queue: null, system: null, device: null };
    expect((await requestDashboard('overview', await as.user())).json()).toEqual(emptyOverview);
    const moderator = await as.userWith(['ReportAPI/ListReport']);
    expect((await requestDashboard('overview', moderator)).json()).toEqual({
      ...emptyOverview,
      pending: [{ name: 'report', total: 1 }],
    });
    expect((await requestDashboard('trend', moderator)).statusCode).toBe(403);
    expect((await requestDashboard('overview', {})).statusCode).toBe(401);
  });
});

describe('the trend of the last thirty days', () => {
  const trend = async () => {
    const { days, series } = (await requestDashboard('trend', await as.root())).json();
    const counts = Object.fromEntries(
      series.map(({ name, counts }: { name: string; counts: number[] }) => [name, counts]),
    );
    return { days, counts };
  };
  const search = (at: string) =>
    pool.query(
      `insert into search_records (ip, user_agent, keywords, total, page, spend_time, created_at)
       values ('', '', '词', 0, 1, 0, $1)`,
      [at],
    );

  test('uses days in the time zone of the site', async () => {
    clock.now = new Date('2026-03-05T17:00:00Z');
    const { days, counts } = await trend();
    expect(days).toHaveLength(30);
    expect([days[0], days[29]]).toEqual(['2026-02-05', '2026-03-06']);
    expect(Object.keys(counts)).toEqual([...['user', 'document', 'download', 'comment', 'search', 'sign_in']]);
    for (const each of Object.values(counts)) expect(each).toHaveLength(30);
  });

  test('counts each row on its local day and excludes older rows', async () => {
    // Past days are counted once an hour.
    clock.now = new Date('2026-03-06T12:00:00Z');
    await search('2026-02-04T15:59:59Z');
    await search('2026-02-04T16:00:00Z');
    await search('2026-03-05T15:59:59Z');
    await search('2026-03-05T16:00:00Z');
    await search('2026-03-06T11:00:00Z');
    const { counts } = await trend();
    expect(counts.search?.slice(28)).toEqual([1, 2]);
    expect(counts.search?.[0]).toBe(1);
    expect(counts.search?.reduce((sum: number, each: number) => sum + each, 0)).toBe(4);
  });

  test('is counted at most once a minute', async () => {
    clock.now = new Date('2026-03-06T13:00:00Z');
    const before = (await trend()).counts.search;
    await search('2026-03-06T12:30:00Z');
    expect((await trend()).counts.search).toEqual(before);
    clock.now = new Date('2026-03-06T13:01:01Z');
    expect((await trend()).counts.search).not.toEqual(before);
  });
});
