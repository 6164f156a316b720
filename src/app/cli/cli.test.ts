import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { environmentKeys, projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';

// Each command is a program that starts: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const { app, ctx, url, folder, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');

/** Runs the command as an operator would, on the database of this test. */
function douku(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(projectRoot, 'src/app/cli/main.ts'), ...args], {
    cwd: folder,
    env: {
      ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
      PATH: '/usr/bin:/bin',
      // As `npm run douku` does: a start costs half.
      NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/compiled'),
      DATABASE_URL: url,
      DATA_DIR: folder,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
const login = async (username: string, password: string) => {
  const payload = { username, password };
  return (await app.inject({ method: 'POST', url: '/api/v1/user/login', payload })).statusCode;
};

test('a setting is read and changed, and the running site follows at once', async () => {
  expect((await douku('config', 'get', 'system.sitename')).output).toBe('豆库\n');
  expect((await douku('config', 'set', 'system.sitename', '云上书房')).code).toBe(0);
  await expect
    .poll(async () => (await app.inject('/api/v1/settings')).json().system.sitename)
    .toBe('云上书房');
  const wrong = await douku('config', 'set', 'system.nothing', 'x');
  expect([wrong.code, wrong.output.trim().split('\n').length]).toEqual([1, 1]);
});

test('a user is created, given a role and a new password, and each is noted', async () => {
  const made = await douku('user', 'create', '新来的人', '--role', '内容审核员');
  const [, password = ''] = /密码 (\S+)/.exec(made.output) ?? [];
  expect(await login('新来的人', password)).toBe(200);
  expect((await douku('user', 'grant', '新来的人', '超级管理员')).code).toBe(0);
  expect((await douku('user', 'password', '新来的人', 'another-password')).code).toBe(0);
  expect(await login('新来的人', 'another-password')).toBe(200);
  expect((await douku('user', 'create', '新来的人')).output).toContain('用户名已存在');
  expect((await douku('user', 'grant', '新来的人', '没有的角色')).output).toContain(
    '没有角色 没有的角色，现有：',
  );
  const { rows } = await pool.query(
    `select action, username from audit_logs where target like '%新来的人' order by id`,
  );
  expect(rows).toEqual([
    { action: '新增用户', username: '命令行' },
    { action: '给予角色', username: '命令行' },
    { action: '修改用户密码', username: '命令行' },
  ]);
});

test('doctor tells what is there and what is missing; migrate finds nothing to do', async () => {
  const { code, output } = await douku('doctor');
  expect(code).toBe(0);
  expect(output).toMatch(/✓ 数据库：外部 PostgreSQL 18/);
  expect(output).toContain('✓ 文件存储：本地文件夹，可读写');
  // The last line agrees with those above it.
  const hints = output.match(/^· /gm)?.length ?? 0;
  expect(hints).toBeGreaterThan(0);
  expect(output.trim().split('\n').at(-1)).toBe(`没有错误，${hints} 条提示`);
  expect((await douku('migrate')).output).toContain('数据库已是最新');
  expect((await douku('reindex')).output).toMatch(/收录 \d+ 个；索引共 \d+ 个文档/);
});

test('a backup is written beside a running site, and restoring over it is refused', async () => {
  const written = await douku('backup', 'site.backup');
  expect(written.output).toMatch(/已备份 \d+ 行数据、\d+ 个文件到 site\.backup/);
  const refused = await douku('restore', 'site.backup');
  expect([refused.code, refused.output]).toEqual([
    1,
    '目标数据库不是空的；请换一个空的 DATA_DIR 或 DATABASE_URL 再恢复\n',
  ]);
});

test('settings are listed by group, each with its name, and secrets masked', async () => {
  await setSetting(ctx, 'email.password', 'hunter2-secret');
  const { output } = await douku('config', 'list', 'email');
  expect(output).toMatch(/^email\.host +SMTP 服务器地址$/m);
  expect(output).toMatch(/^email\.password +SMTP 密码 +\*{6}$/m);
  expect(output).not.toMatch(/hunter2|^system\./m);
  expect((await douku('config', 'list')).output).toMatch(
    /^system\.timezone +网站时区 +Asia\/Shanghai$/m,
  );
  expect((await douku('config', 'list', 'nothing')).output).toMatch(
    /^没有分组 nothing，现有：system、/,
  );
});

test('users are listed with their roles, newest first, and found by a word', async () => {
  const { output } = await douku('user', 'list');
  expect(output).toMatch(/^编号 +用户名 +邮箱 +角色 +状态 +注册时间\n/);
  expect(output).toMatch(/^1 +admin +- +超级管理员 +正常 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
  expect((await douku('user', 'list', '没有这个人')).output).toContain('共 0 个用户');
});
