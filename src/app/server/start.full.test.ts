import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { environmentKeys, projectRoot } from '#platform/server/config.ts';
import { findFreePort } from '#testing/free-port.ts';

let folder = '';
let port = 0;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  // A path with a space and Chinese characters.
  folder = await mkdtemp(join(tmpdir(), 'douku 书库-'));
  port = await findFreePort();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(projectRoot, 'src/app/server/main.ts')], {
    env: {
      // Set to nothing, so that an operator's .env does not reach a test.
      ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
      PATH: '/usr/bin:/bin',
      // As `npm start` does.
      NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/compiled'),
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  children.add(child);
  const run = { child, output: '', exit: Promise.resolve<number | null>(null) };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      run.output += chunk;
    });
  run.exit = new Promise((resolve) => child.once('exit', resolve));
  return run;
}
/** Waits until the site answers. The expectation includes the output of an exited process, which shows the reason. */
async function waitUntilReady(run: ReturnType<typeof start>, limit = 60_000): Promise<void> {
  const status = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect
    .poll(async () => ({ status: await status(), ended: run.child.exitCode, ...outputOfExited(run) }), {
      timeout: limit,
      interval: 50,
    })
    .toMatchObject({ status: 200, ended: null });
}
const outputOfExited = ({ child, output }: ReturnType<typeof start>) => (child.exitCode === null ? {} : { output });

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

test('the first start prints the password of the administrator once, and a second start is ready within ten seconds', async () => {
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

  // On a machine that is busy with other tests even loading the program takes long.
  const startedAt = performance.now();
  await start({ MODE: 'nothing' }).exit;
  const loadMs = performance.now() - startedAt;
  const second = start();
  await waitUntilReady(second, Math.max(10_000, 8 * loadMs));
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

/** Sends a request; the response is complete when the server closes the connection. */
async function sendRequest(path: string): Promise<{ answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  let receivedText = '';
  socket.on('data', (text: string) => {
    receivedText += text;
  });
  const answer = once(socket, 'close').then(() => receivedText);
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(request, () => resolve()));
  return { answer };
}

test('a server that stops answers all requests that were sent before', async () => {
  const run = start();
  await waitUntilReady(run);
  const requests = await Promise.all(Array.from({ length: 40 }, () => sendRequest('/api/v1/category/list')));
  run.child.kill('SIGTERM');
  const answers = await Promise.all(requests.map(({ answer }) => answer));
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await run.exit).toBe(0);
});
