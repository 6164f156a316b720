import { expect, test } from 'vitest';
import { recordAudit } from '#modules/audit/audit.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { listPrograms } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import type { EnvironmentItem } from './dashboard.contract.ts';
import { BACKUP_ACTION } from './diagnose-site.ts';

const { app, as, ctx, pool, clock } = await testApp();
const envsOf = async (headers: { authorization?: string }): Promise<EnvironmentItem[]> =>
  (await app.inject({ url: '/api/v1/envs', headers })).json().envs;
const findItem = async (name: string) => (await envsOf(await as.root())).find((item) => item.name === name);

test('the environment lists all dependencies of the site for administrators and is empty for other users', async () => {
  const items = await envsOf(await as.userWith(['ConfigAPI/GetEnvs']));
  expect(items.map(({ name }) => name)).toEqual([
    '数据库',
    '数据结构',
    '文件存储',
    '搜索',
    '文字识别',
    '磁盘',
    '备份',
    '邮件',
    '网站地址',
    ...(await listPrograms()).filter(({ use }) => use !== 'tests').map(({ name }) => name),
  ]);
  for (const { state, is_installed, error, detail, description } of items) {
    expect(is_installed).toBe(state === 'ok');
    expect(error).toBe(state === 'ok' ? '' : detail);
    expect([detail, description]).not.toContain('');
  }
  expect(items[0]?.detail).toMatch(/^(内置|外部) PostgreSQL 18/);
  expect(await envsOf(await as.user())).toEqual([]);
});

test('the environment recommends a backup when there is none or the last one is old', async () => {
  expect(await findItem('备份')).toMatchObject({ state: 'hint', detail: '还没有备份过' });
  await recordAudit(ctx, { action: BACKUP_ACTION, target: '备份 site.backup' });
  clock.now = new Date(clock.now.getTime() + 3 * 86_400_000);
  expect(await findItem('备份')).toMatchObject({ state: 'ok', detail: '上次备份：3 天前' });
  clock.now = new Date(clock.now.getTime() + 30 * 86_400_000);
  expect(await findItem('备份')).toMatchObject({ state: 'hint', detail: '上次备份：1 个月前' });
});

test('the environment reports a missing mail server and the error of the last mail', async () => {
  expect(await findItem('邮件')).toMatchObject({ state: 'hint', detail: '没有设置邮件服务器' });
  await setSetting(ctx, 'email.host', 'smtp.example.com');
  await setSetting(ctx, 'email.enable', 'true');
  expect(await findItem('邮件')).toMatchObject({ state: 'ok', detail: '使用 smtp.example.com' });
  await pool.query(
    `insert into mails (recipient, subject, text, html, status, error)
     values ('a@b.example', '主题', '', '', 'failed', '连接超时')`,
  );
  expect(await findItem('邮件')).toMatchObject({ state: 'hint', detail: '最近一封没有寄出：连接超时' });
});

test('the environment reports the other checks when one fails', async () => {
  await pool.query(`delete from schema_migrations where name = '0002_audit.sql'`);
  expect(await findItem('数据结构')).toMatchObject({ state: 'bad', error: '有 1 个升级未应用' });
  expect(await findItem('文件存储')).toMatchObject({ state: 'ok' });
});
