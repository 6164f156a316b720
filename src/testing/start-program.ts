import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { environmentKeys, projectRoot } from '#platform/server/config.ts';
import { findFreePort } from './free-port.ts';

type Run = { child: ChildProcess; output: string; exit: Promise<number | null> };

/** Only ends a test that waits in vain: a busy machine may need minutes. */
const START_LIMIT_MS = 600_000;

/** Starts the program as `npm start` does, in a new data folder and on a free port. */
export async function programToStart() {
  // A path with a space and Chinese characters.
  const folder = await mkdtemp(join(tmpdir(), 'douku 书库-'));
  const port = await findFreePort();
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function start(env: Record<string, string> = {}): Run {
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
    const run: Run = { child, output: '', exit: Promise.resolve(null) };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        run.output += chunk;
      });
    run.exit = new Promise((resolve) => child.once('exit', resolve));
    return run;
  }

  /** Waits until the site answers. The expectation includes the output of an exited process, which shows the reason. */
  async function waitUntilReady(run: Run): Promise<void> {
    const status = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect
      .poll(async () => ({ status: await status(), ended: run.child.exitCode, ...outputOfExited(run) }), {
        timeout: START_LIMIT_MS,
        interval: 50,
      })
      .toMatchObject({ status: 200, ended: null });
  }

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

  return { folder, port, start, waitUntilReady, sendRequest };
}

const outputOfExited = ({ child, output }: Run) => (child.exitCode === null ? {} : { output });
