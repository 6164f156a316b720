/**
 * `npm run dev [-- --demo] [--data FOLDER]`: runs a development site with data in data/dev or FOLDER. The server restarts
 * when its code changes, the browser updates changed pages, and the database runs until this program ends. `--demo` adds
 * example documents.
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

/** Editors may write several files together. */
const DEBOUNCE_MS = 100;
const printLine = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { demo: { type: 'boolean', default: false }, data: { type: 'string', default: 'data/dev' } },
});
const DATA_DIR = path.resolve(projectRoot, values.data);
const shutdown = new AbortController();
// A further signal must not end this program before it has stopped the database.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutdown.abort());
process.once('disconnect', () => shutdown.abort());
process.channel?.unref();

/** Vite watches the pages (web/); tests need no restart. */
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
const runProgram = (program: string, ...args: string[]) =>
  spawn(process.execPath, [path.join(projectRoot, program), ...args], {
    env,
    // The server stops when the IPC channel closes because this program was killed.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

/** The server reports through the IPC channel that it answers requests. */
function startServer(beginMs: number): ChildProcess {
  const server = runProgram('src/app/server/dev.ts');
  server.once('message', () => printLine(`可以使用，用时 ${((Date.now() - beginMs) / 1000).toFixed(1)} 秒`));
  return server;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}

async function* watchServerCode(folder: string): AsyncGenerator<string> {
  const { signal } = shutdown;
  const changes = watch(path.join(projectRoot, folder), { recursive: true, signal });
  try {
    for await (const { filename } of changes) if (filename && isServerCode(filename)) yield filename;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

let server = startServer(Number(process.env.COMMAND_BEGIN_MS));
printLine('管理员账号：admin，密码：douku-dev（可用 ADMIN_PASSWORD 改，只在第一次启动时生效）');
const demo = values.demo ? runProgram('src/app/cli/main.ts', 'demo') : null;
try {
  const sources = ['src', 'migrations'].map(watchServerCode);
  for await (const files of debouncedBatches(sources, DEBOUNCE_MS)) {
    if (shutdown.signal.aborted) break;
    const [first] = files;
    printLine(`${first}${files.length > 1 ? ` 等 ${files.length} 个文件` : ''} 已修改，正在重新启动`);
    const beginMs = Date.now();
    await stopServer(server);
    server = startServer(beginMs);
  }
} finally {
  if (demo) await stopServer(demo);
  await stopServer(server);
  await postgres.stop();
}
