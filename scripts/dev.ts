/**
 * `npm run dev [-- --demo]`: a site of its own in the folder data/dev. The database runs as long as
 * this program; the server is restarted when its code changes; the browser updates changed pages.
 * `--demo` adds the example documents.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';
import { debouncedBatches } from './debounced-batches.ts';

const DATA_DIR = path.join(projectRoot, 'data/dev');
/** An editor writes several files at once. */
const QUIET_MS = 100;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } });
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
process.once('disconnect', () => stopping.abort());
process.channel?.unref();

/** Code of the server: everything but pages, which Vite follows, and tests. */
const isServerCode = (file: string) => /\.(ts|sql|conf)$/.test(file) && !/(^|\/)web\/|\.(test|fixture)\.ts$/.test(file);

const postgres = await startPostgres({
  dataDir: path.join(DATA_DIR, 'postgres'),
  log: createLog('error'),
});
const env = {
  ADMIN_PASSWORD: 'douku-dev',
  ...process.env,
  DATA_DIR,
  DATABASE_URL: postgres.url,
};
const run = (program: string, ...args: string[]) =>
  spawn(process.execPath, [path.join(projectRoot, program), ...args], {
    env,
    // By the channel the server notices when this program is killed.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
const startServer = () => run('src/app/server/dev.ts');

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}

async function* changedServerCode(folder: string): AsyncGenerator<string> {
  const { signal } = stopping;
  const changes = watch(path.join(projectRoot, folder), { recursive: true, signal });
  try {
    for await (const { filename } of changes) if (filename && isServerCode(filename)) yield filename;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

let server = startServer();
say('管理员账号：admin，密码：douku-dev（可用 ADMIN_PASSWORD 改，只在第一次启动时生效）');
const demo = values.demo ? run('src/app/cli/main.ts', 'demo') : null;
try {
  const sources = ['src', 'migrations'].map(changedServerCode);
  for await (const files of debouncedBatches(sources, QUIET_MS)) {
    if (stopping.signal.aborted) break;
    const [first] = files;
    say(`${first}${files.length > 1 ? ` 等 ${files.length} 个文件` : ''} 已修改，正在重新启动`);
    await stopServer(server);
    server = startServer();
  }
} finally {
  if (demo) await stopServer(demo);
  await stopServer(server);
  await postgres.stop();
}
