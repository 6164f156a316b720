import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { programToStart } from '#testing/start-program.ts';

const { port, start, waitUntilReady, sendRequest } = await programToStart();
const origin = `http://127.0.0.1:${port}`;

async function readMetric(name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
const countWebProcesses = () => readMetric('douku_web_processes ');

const childrenOf = (pid = 0): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child.trim() && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('web-process.ts'))
    .map(Number);
const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

/** Both processes run from the start, because a busy machine does not let the main process use enough processor time. */
const startTwoProcesses = () => start({ WEB_PROCESSES: '2', WEB_PROCESSES_SCALING: 'off' });

test('additional processes answer on the same port, are counted together, are restarted and stop together', async () => {
  const run = startTwoProcesses();
  await waitUntilReady(run);
  await expect.poll(countWebProcesses).toBe(2);

  // Each request goes to one of the processes, and any of them reports all requests.
  const countHealthChecks = () => readMetric('http_request_duration_seconds_count', 'route="/healthz"');
  const countBefore = await countHealthChecks();
  const responses = await Promise.all(Array.from({ length: 60 }, () => sendRequest('/healthz')));
  for (const { answer } of responses) expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await expect.poll(countHealthChecks).toBe(countBefore + 60);

  const [killedPid = 0] = childrenOf(run.child.pid);
  process.kill(killedPid, 'SIGKILL');
  await expect.poll(countWebProcesses).toBe(1);
  // Requests that the killed process answered stay counted.
  expect(await countHealthChecks()).toBe(countBefore + 60);
  await expect.poll(countWebProcesses).toBe(2);
  const [restartedPid = 0] = childrenOf(run.child.pid);
  expect(restartedPid).not.toBe(killedPid);

  const requests = await Promise.all(Array.from({ length: 40 }, () => sendRequest('/api/v1/category/list')));
  run.child.kill('SIGTERM');
  for (const { answer } of requests) expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await run.exit).toBe(0);
  expect(isRunning(restartedPid)).toBe(false);
});

test('a web process ends when the main process was killed', async () => {
  const run = startTwoProcesses();
  await waitUntilReady(run);
  await expect.poll(() => childrenOf(run.child.pid).length).toBe(1);
  const [pid = 0] = childrenOf(run.child.pid);
  run.child.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});
