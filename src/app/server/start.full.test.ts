import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { indexDocuments } from '#modules/search/index/index-documents.ts';
import { measureProcessTree } from '#platform/server/sandbox/process-tree.ts';
import { programToStart } from '#testing/start-program.ts';
import { testApp } from '#testing/test-app.ts';

const { folder, port, start, waitUntilReady, sendRequest } = await programToStart();

test('an invalid environment variable stops the start with one line that names it', async () => {
  const run = start({ MODE: 'everything' });
  expect(await run.exit).toBe(1);
  expect(run.output.trim().split('\n')).toHaveLength(1);
  expect(run.output).toContain('MODE');
});

test('a port in use stops the start before the database starts, with an error that names the port and PORT', async () => {
  const otherServer = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => otherServer.once('listening', resolve));
  const run = start();
  expect(await run.exit).toBe(1);
  expect(run.output).toContain(`端口 ${port} 已被占用`);
  expect(run.output).toContain('PORT');
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  await new Promise((resolve) => otherServer.close(resolve));
});

test('the first start prints the password of the administrator once, and a second start takes less than 10 s of processor time', async () => {
  const first = start();
  await waitUntilReady(first);
  // After the log of the start, in a separate block.
  await expect
    .poll(() => first.output)
    .toMatch(/豆库已启动：[\s\S]*─\n {2}管理员账号：admin\n {2}管理员密码：\S{16}\n/);
  expect(first.output.match(/管理员密码/g)).toHaveLength(1);
  await expect.poll(() => first.output).toMatch(/^还没有配置邮件服务：邮件只进入后台的发件箱/m);
  first.child.kill('SIGTERM');
  expect(await first.exit).toBe(0);

  const second = start();
  await waitUntilReady(second);
  // Not the elapsed time, which depends on what else the machine does.
  expect((await measureProcessTree(second.child.pid ?? 0)).cpuSeconds).toBeLessThan(10);
  expect(second.output).not.toContain('管理员密码');
  second.child.kill('SIGTERM');
  expect(await second.exit).toBe(0);
});

test('a start after a kill reuses the database server that was left running', async () => {
  const first = start();
  await waitUntilReady(first);
  first.child.kill('SIGKILL');
  await first.exit;
  const second = start();
  await waitUntilReady(second);
  second.child.kill('SIGTERM');
  expect(await second.exit).toBe(0);
  expect(existsSync(join(folder, 'postgres/cluster/postmaster.pid'))).toBe(false);
});

test('signals that arrive together stop the site gracefully, with its database server', async () => {
  const run = start();
  await waitUntilReady(run);
  run.child.kill('SIGTERM');
  run.child.kill('SIGINT');
  expect(await run.exit).toBe(0);
  expect(existsSync(join(folder, 'postgres/cluster/postmaster.pid'))).toBe(false);
});

test('a server that stops answers all requests that were sent before', async () => {
  const run = start();
  await waitUntilReady(run);
  const requests = await Promise.all(Array.from({ length: 40 }, () => sendRequest('/api/v1/category/list')));
  run.child.kill('SIGTERM');
  const answers = await Promise.all(requests.map(({ answer }) => answer));
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await run.exit).toBe(0);
});

test('a running site makes a converted document findable without the scheduled indexing job', async () => {
  const { ctx, pool, url, folder: dataFolder } = await testApp({ deliversEvents: false });
  const run = start({ DATABASE_URL: url, DATA_DIR: dataFolder });
  await waitUntilReady(run);
  const { rowCount } = await pool.query('delete from pgboss.schedule where name = $1', [indexDocuments.name]);
  expect(rowCount).toBe(1);
  type Answer = { document: { id: number; status: number }[] };
  const getDocuments = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/document/${path}`);
    return ((await response.json()) as Answer).document;
  };
  const findIds = async () => (await getDocuments(`search?wd=${encodeURIComponent('白鹭')}`)).map((row) => row.id);
  expect(await findIds()).toEqual([]);
  const { id } = await addDocument(ctx, await newUploader(ctx), {
    category_id: await createCategoryChain(ctx),
    bytes: Buffer.from('湿地里的白鹭'),
    ext: '.txt',
  });
  await expect.poll(async () => (await getDocuments(`progress?id=${id}`))[0]?.status).toBe(2);
  // The limit of 1 s is checked by the bench; a busy machine takes longer.
  await expect.poll(findIds).toEqual([id]);
  run.child.kill('SIGTERM');
  expect(await run.exit).toBe(0);
});
