import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#platform/server/context.ts';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import type { AuditEntry } from './audit.contract.ts';
import { auditTarget, recordAudit, recordRemoval } from './audit.ts';

const { app, ctx, as, clock } = await testApp();
const contextOf = (id: number, username: string): Context => ({
  ...ctx,
  user: { id, username, isRoot: false, permissions: new Set(), sessionId: 0 },
  client: { ip: '203.0.113.7', userAgent: '' },
});
const list = async (query = '') => app.inject({ url: `/api/v1/audit/list?${query}`, headers: await as.root() });
const listEntries = async (query = ''): Promise<AuditEntry[]> => (await list(query)).json().audit;
const lastEntry = async () => (await listEntries('size=1'))[0];

describe('an audit entry', () => {
  test('contains actor, action, target, IP address and only changed values', async () => {
    const row = { id: 12, title: '旧名', sort: 1, updated_at: '2026-01-01T00:00:00Z' };
    await recordAudit(contextOf(7, '小王'), {
      action: '更新文档分类',
      target: auditTarget('分类', [{ id: 12, name: '旧名' }]),
      before: row,
      after: { ...row, title: '新名', updated_at: '2026-03-01T00:00:00Z', cover: undefined },
    });
    expect(await lastEntry()).toMatchObject({
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

  test('is listed with labels of fields and readable values', async () => {
    await recordAudit(ctx, {
      action: '更新横幅',
      target: '横幅 3 春天',
      before: { type: 0, enable: true, url: '', sort: 1, path: '/uploads/a.webp' },
      after: { type: 1, enable: false, url: '/category/1', sort: 2, path: '/uploads/b.webp' },
    });
    expect((await lastEntry())?.changes).toEqual([
      { field: '链接', before: '（空）', after: '/category/1' },
      { field: '图片', before: '/uploads/a.webp', after: '/uploads/b.webp' },
      { field: '排序', before: '1', after: '2' },
      { field: '类型', before: '网站', after: '小程序' },
      { field: '是否启用', before: '是', after: '否' },
    ]);
    await recordAudit(ctx, {
      action: '更新系统配置',
      target: '配置 网站名称',
      before: { 'system.sitename': '旧名' },
      after: { 'system.sitename': '新名' },
    });
    expect((await lastEntry())?.changes).toEqual([{ field: '网站名称', before: '旧名', after: '新名' }]);
    await recordAudit(ctx, {
      action: '禁用用户',
      target: '用户 7 小王',
      after: { banned_until: '2026-05-01T04:00:00.000Z', roles: ['审核员', '编辑'] },
    });
    expect((await lastEntry())?.changes).toEqual([
      { field: '角色', before: null, after: '审核员、编辑' },
      { field: '禁用到', before: null, after: '2026-05-01 12:00:00' },
    ]);
  });

  test('masks secrets, but shows whether a value existed', async () => {
    await recordAudit(ctx, {
      action: '测试',
      target: '密码',
      before: { password: 'old-one', 'email.password': '', nested: { token: 'aaa' }, key: 'k1' },
      after: { password: 'new-one', 'email.password': 'x', nested: { token: 'bbb' }, key: 'k2' },
      secrets: ['key'],
    });
    const entry = await lastEntry();
    expect(entry?.before).toEqual({
      password: '******',
      'email.password': '',
      nested: { token: '******' },
      key: '******',
    });
    expect(entry?.after).toMatchObject({ password: '******', 'email.password': '******' });
    expect(JSON.stringify(entry)).not.toMatch(/old-one|new-one|aaa|bbb|k1|k2/);
  });

  test('shortens a long text to its beginning', async () => {
    const content = '很'.repeat(3000);
    await recordAudit(ctx, { action: '创建单页', target: '单页 3', after: { content } });
    expect((await lastEntry())?.after).toEqual({ content: `${'很'.repeat(200)}…（共 3000 字）` });
  });

  test('is rolled back with the transaction of its action', async () => {
    const before = (await list()).json().total;
    const transaction = inTransaction(ctx, async (ctx) => {
      await recordAudit(ctx, { action: '删除友链', target: '友链 1' });
      throw new Error('the deletion failed');
    });
    await expect(transaction).rejects.toThrow('the deletion failed');
    expect((await list()).json().total).toBe(before);
  });

  test('of a deletion contains the lost values and names ids that did not exist', async () => {
    const removal = { action: '删除友链', kind: '友链', ids: [4, 5, 9] };
    const rows = [4, 5].map((id) => ({ id, name: `邻居${id}`, values: { id, sort: id } }));
    await recordRemoval(ctx, removal, rows);
    expect(await lastEntry()).toMatchObject({
      target: '友链 4 邻居4、5 邻居5、9',
      before: { '4 邻居4': { id: 4, sort: 4 }, '5 邻居5': { id: 5, sort: 5 } },
      after: null,
    });
    await recordRemoval(ctx, { ...removal, ids: [4] }, rows.slice(0, 1));
    expect(await lastEntry()).toMatchObject({ target: '友链 4 邻居4', before: { id: 4, sort: 4 } });
    const targets = Array.from({ length: 40 }, (_, index) => ({ id: index + 1 }));
    expect(auditTarget('友链', targets)).toMatch(/^友链 1、2、.*、20 等 40 个$/);
  });
});

describe('the audit log', () => {
  beforeAll(async () => {
    for (const [index, name] of ['甲', '乙', '丙'].entries()) {
      clock.now = new Date(`2026-05-0${index + 1}T00:00:00Z`);
      await recordAudit(contextOf(100 + index, name), {
        action: `动作${index}`,
        target: `目标${index}`,
      });
    }
  });
  const names = async (query: string) => (await listEntries(query)).map(({ username }) => username);

  test('is listed newest first in pages', async () => {
    expect((await names('size=3')).slice(0, 3)).toEqual(['丙', '乙', '甲']);
    expect(await names('size=1&page=2')).toEqual(['乙']);
    expect((await names('size=3&order=id%20asc'))[0]).not.toBe('丙');
    expect((await list('order=ip')).statusCode).toBe(400);
  });

  test('is filtered by user, action, search words and time', async () => {
    expect(await names('user_id=100&user_id=102')).toEqual(['丙', '甲']);
    expect(await names('action=动作1')).toEqual(['乙']);
    expect(await names('wd=目标2')).toEqual(['丙']);
    expect(await names('created_at=2026-05-02T00:00:00Z')).toEqual(['丙', '乙']);
    expect(await names('created_at=2026-05-01T00:00:00Z&created_at=2026-05-02T00:00:00Z')).toEqual(['乙', '甲']);
    expect((await list('created_at=某天')).json().message).toBe('时间不正确');
  });

  test('requires the permission AuditAPI/ListAudit', async () => {
    const answer = await app.inject({ url: '/api/v1/audit/list', headers: await as.user() });
    expect([answer.statusCode, answer.json().message]).toEqual([403, '您没有权限访问【查看操作记录】']);
    const reader = await as.userWith(['AuditAPI/ListAudit']);
    expect((await app.inject({ url: '/api/v1/audit/list', headers: reader })).statusCode).toBe(200);
  });
});
