import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { runDouku } from '#testing/run-douku.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, url, folder, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');
const douku = (...args: string[]) => runDouku({ url, folder }, args);

const login = async (username: string, password: string) => {
  const payload = { username, password };
  return (await app.inject({ method: 'POST', url: '/api/v1/user/login', payload })).statusCode;
};

test('douku config reads and changes a setting, and the running site uses the new value', async () => {
  expect((await douku('config', 'get', 'system.sitename')).output).toBe('豆库\n');
  expect((await douku('config', 'set', 'system.sitename', '云上书房')).code).toBe(0);
  await expect.poll(async () => (await app.inject('/api/v1/settings')).json().system.sitename).toBe('云上书房');
  const failedRun = await douku('config', 'set', 'system.nothing', 'x');
  expect([failedRun.code, failedRun.output.trim().split('\n').length]).toEqual([1, 1]);
});

test('douku user creates a user, grants a role and sets a password, and records each in the audit log', async () => {
  const createResult = await douku('user', 'create', '新来的人', '--role', '内容审核员');
  const [, password = ''] = /密码 (\S+)/.exec(createResult.output) ?? [];
  expect(await login('新来的人', password)).toBe(200);
  expect((await douku('user', 'grant', '新来的人', '超级管理员')).code).toBe(0);
  expect((await douku('user', 'password', '新来的人', 'another-password')).code).toBe(0);
  expect(await login('新来的人', 'another-password')).toBe(200);
  expect((await douku('user', 'create', '新来的人')).output).toContain('用户名已存在');
  expect((await douku('user', 'grant', '新来的人', '没有的角色')).output).toContain('没有角色 没有的角色，现有：');
  const { rows } = await pool.query(
    `select action, username from audit_logs where target like '%新来的人' order by id`,
  );
  expect(rows).toEqual([
    { action: '新增用户', username: '命令行' },
    { action: '给予角色', username: '命令行' },
    { action: '修改用户密码', username: '命令行' },
  ]);
});

test('douku doctor lists available and missing parts, and douku migrate finds no pending migration', async () => {
  const { code, output } = await douku('doctor');
  expect(code).toBe(0);
  expect(output).toMatch(/✓ 数据库：外部 PostgreSQL 18/);
  expect(output).toContain('✓ 文件存储：本地文件夹，可读写');
  const hints = output.match(/^· /gm)?.length ?? 0;
  expect(hints).toBeGreaterThan(0);
  expect(output.trim().split('\n').at(-1)).toBe(`没有错误，${hints} 条提示`);
  expect((await douku('migrate')).output).toContain('数据库已是最新');
  expect((await douku('reindex')).output).toMatch(/收录 \d+ 个；索引共 \d+ 个文档/);
});

test('douku import lists a folder with --dry-run, then imports it with subfolders as categories, and skips existing documents', async () => {
  const files = { '总目.txt': '全部书目', '文学/诗/春.txt': '春眠不觉晓', '文学/录音.mp3': 'x' };
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, '馆藏', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const importedDocuments = async () => {
    const { rows } = await pool.query(
      `select title, array(select c.title from document_categories dc
          join categories c on c.id = dc.category_id where dc.document_id = d.id order by c.id)
          as categories
        from documents d order by title`,
    );
    return Object.fromEntries(rows.map(({ title, categories }) => [title, categories]));
  };
  const dryRun = await douku('import', '馆藏', '--dry-run');
  expect([dryRun.code, dryRun.output]).toEqual([
    0,
    `共 2 个文档，27.00 B，2 个分类
不支持而略过的文件：
  文学/录音.mp3
将使用的分类：
  馆藏 / 文学 / 诗
  馆藏
将导入的文档：
  文学/诗/春.txt
  总目.txt
`,
  ]);
  expect(await importedDocuments()).toEqual({});
  const importResult = await douku('import', '馆藏');
  expect([importResult.code, importResult.output.trim().split('\n').at(-1)]).toEqual([
    0,
    '导入 2 个，已有 0 个，失败 0 个；转换由运行中的网站进行',
  ]);
  const expected = { 总目: ['馆藏'], 春: ['馆藏', '文学', '诗'] };
  expect(await importedDocuments()).toEqual(expected);
  expect((await douku('import', '馆藏')).output).toContain('导入 0 个，已有 2 个，失败 0 个');
  expect(await importedDocuments()).toEqual(expected);
});

test('douku backup works while the site runs, and douku restore rejects a database that is not empty', async () => {
  const backupResult = await douku('backup', 'site.backup');
  expect(backupResult.output).toMatch(/已备份 \d+ 行数据、\d+ 个文件到 site\.backup/);
  const restoreResult = await douku('restore', 'site.backup');
  expect([restoreResult.code, restoreResult.output]).toEqual([
    1,
    '目标数据库不是空的；请换一个空的 DATA_DIR 或 DATABASE_URL 再恢复\n',
  ]);
});

test('douku config list shows settings by group with labels, and masks secrets', async () => {
  await setSetting(ctx, 'email.password', 'hunter2-secret');
  const { output } = await douku('config', 'list', 'email');
  expect(output).toMatch(/^email\.host +SMTP 服务器地址$/m);
  expect(output).toMatch(/^email\.password +SMTP 密码 +\*{6}$/m);
  expect(output).not.toMatch(/hunter2|^system\./m);
  expect((await douku('config', 'list')).output).toMatch(/^system\.timezone +网站时区 +Asia\/Shanghai$/m);
  expect((await douku('config', 'list', 'nothing')).output).toMatch(/^没有分组 nothing，现有：system、/);
});

test('douku user list shows users with their roles, newest first, and filters them by a word', async () => {
  const { output } = await douku('user', 'list');
  expect(output).toMatch(/^编号 +用户名 +邮箱 +角色 +状态 +注册时间\n/);
  expect(output).toMatch(/^1 +admin +- +超级管理员 +正常 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
  expect((await douku('user', 'list', '没有这个人')).output).toContain('共 0 个用户');
});

test('douku ocr queues existing documents with scanned pages, and those of which that is unknown, once', async () => {
  const owner = await newUploader(ctx);
  const category_id = await createCategoryChain(ctx);
  const pages = { view: 'pages', pages: 3, ready_pages: 3 } as const;
  const addPages = (title: string, scanned_pages: number | null) =>
    addConvertedDocument(ctx, owner, { title, category_id }, { ...pages, scanned_pages });
  await addPages('旧的转换', null);
  await addPages('有文字的文档', 0);
  const first = await douku('ocr');
  expect([first.code, first.output.split('\n')[0]]).toEqual([0, '加入 1 个文件，重新加入 0 个；进度在后台的转换队列']);
  expect((await douku('ocr')).output).toContain('加入 0 个文件，重新加入 0 个');
  expect((await douku('ocr', '--again')).output).toContain('加入 0 个文件，重新加入 1 个');
});
