import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#platform/server/context.ts';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import type { AuditEntry } from './audit.contract.ts';
import { recordAudit, recordRemoval, targetOf } from './audit.ts';

const { app, ctx, as, clock } = await testApp();
const somebody = (id: number, username: string): Context => ({
  ...ctx,
  user: { id, username, root: false, permissions: new Set(), sessionId: 0 },
  client: { ip: '203.0.113.7', userAgent: '' },
});
const list = async (query = '') =>
  app.inject({ url: `/api/v1/audit/list?${query}`, headers: await as.root() });
const found = async (query = ''): Promise<AuditEntry[]> => (await list(query)).json().audit;
const last = async () => (await found('size=1'))[0];

describe('a note', () => {
  test('says who did what to what, from where, and only what differs', async () => {
    const row = { id: 12, title: '旧名', sort: 1, updated_at: '2026-01-01T00:00:00Z' };
    await recordAudit(somebody(7, '小王'), {
      action: '更新文档分类',
      target: targetOf('分类', [{ id: 12, name: '旧名' }]),
      before: row,
      after: { ...row, title: '新名', updated_at: '2026-03-01T00:00:00Z', cover: undefined },
    });
    expect(await last()).toMatchObject({
      user_id: 7,
      username: '小王',
      action: '更新文档分类',
      target: '分类 12 旧名',
      before: { title: '旧名' },
      after: { title: '新名' },
      ip: '203.0.113.7',
      created_at: '2026-03-01T08:00:00.000Z',
    });
  });

  test('tells that a secret changed, and whether there was one, never which', async () => {
    await recordAudit(ctx, {
      action: '测试',
      target: '密码',
      before: { password: 'old-one', 'email.password': '', nested: { token: 'aaa' }, key: 'k1' },
      after: { password: 'new-one', 'email.password': 'x', nested: { token: 'bbb' }, key: 'k2' },
      secrets: ['key'],
    });
    const entry = await last();
    expect(entry?.before).toEqual({
      password: '******',
      'email.password': '',
      nested: { token: '******' },
      key: '******',
    });
    expect(entry?.after).toMatchObject({ password: '******', 'email.password': '******' });
    expect(JSON.stringify(entry)).not.toMatch(/old-one|new-one|aaa|bbb|k1|k2/);
  });

  test('keeps the beginning of a long text', async () => {
    const content = '很'.repeat(3000);
    await recordAudit(ctx, { action: '创建单页', target: '单页 3', after: { content } });
    expect((await last())?.after).toEqual({ content: `${'很'.repeat(200)}…（共 3000 字）` });
  });

  test('goes with the change it is about', async () => {
    const before = (await list()).json().total;
    const failing = inTransaction(ctx, async (ctx) => {
      await recordAudit(ctx, { action: '删除友链', target: '友链 1' });
      throw new Error('the deletion failed');
    });
    await expect(failing).rejects.toThrow('the deletion failed');
    expect((await list()).json().total).toBe(before);
  });

  test('of a deletion keeps what was lost, and names also what was not there', async () => {
    const removal = { action: '删除友链', kind: '友链', ids: [4, 5, 9] };
    const rows = [4, 5].map((id) => ({ id, name: `邻居${id}`, values: { id, sort: id } }));
    await recordRemoval(ctx, removal, rows);
    expect(await last()).toMatchObject({
      target: '友链 4 邻居4、5 邻居5、9',
      before: { '4 邻居4': { id: 4, sort: 4 }, '5 邻居5': { id: 5, sort: 5 } },
      after: null,
    });
    await recordRemoval(ctx, { ...removal, ids: [4] }, rows.slice(0, 1));
    expect(await last()).toMatchObject({ target: '友链 4 邻居4', before: { id: 4, sort: 4 } });
    const many = Array.from({ length: 40 }, (_, index) => ({ id: index + 1 }));
    expect(targetOf('友链', many)).toMatch(/^友链 1、2、.*、20 等 40 个$/);
  });
});

describe('the log', () => {
  beforeAll(async () => {
    for (const [index, name] of ['甲', '乙', '丙'].entries()) {
      clock.now = new Date(`2026-05-0${index + 1}T00:00:00Z`);
      await recordAudit(somebody(100 + index, name), {
        action: `动作${index}`,
        target: `目标${index}`,
      });
    }
  });
  const names = async (query: string) => (await found(query)).map(({ username }) => username);

  test('is read newest first, page by page', async () => {
    expect((await names('size=3')).slice(0, 3)).toEqual(['丙', '乙', '甲']);
    expect(await names('size=1&page=2')).toEqual(['乙']);
    expect((await names('size=3&order=id%20asc'))[0]).not.toBe('丙');
    expect((await list('order=ip')).statusCode).toBe(400);
  });

  test('is filtered by person, action, words and time', async () => {
    expect(await names('user_id=100&user_id=102')).toEqual(['丙', '甲']);
    expect(await names('action=动作1')).toEqual(['乙']);
    expect(await names('wd=目标2')).toEqual(['丙']);
    expect(await names('created_at=2026-05-02T00:00:00Z')).toEqual(['丙', '乙']);
    expect(await names('created_at=2026-05-01T00:00:00Z&created_at=2026-05-02T00:00:00Z')).toEqual([
      '乙',
      '甲',
    ]);
    expect((await list('created_at=某天')).json().message).toBe('时间不正确');
  });

  test('is for those who hold its permission', async () => {
    const answer = await app.inject({ url: '/api/v1/audit/list', headers: await as.user() });
    expect([answer.statusCode, answer.json().message]).toEqual([
      403,
      '您没有权限访问【查看操作记录】',
    ]);
    const reader = await as.userWith(['AuditAPI/ListAudit']);
    expect((await app.inject({ url: '/api/v1/audit/list', headers: reader })).statusCode).toBe(200);
  });
});
