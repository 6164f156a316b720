/**
 * Measures API requests per second with `wrk`, beside a bare server that runs one prepared query and sends the same bytes;
 * also the memory of all processes. Prints JSON lines; exits 1 if a figure misses its limit.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#testing/free-port.ts';
import { benchReport } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const DOCUMENT_COUNT = 60;
const CONNECTIONS = 32;
const DURATION_SECONDS = 4;
const WARM_UP_SECONDS = 2;
const SEARCH_PAGE_SECONDS = 20;
const IDLE_MS = 10_000;
const MAX_IDLE_MB = 300;
const MAX_LOADED_MB = 600;

/** `minRatio` is the share of the bare server's requests per second. */
const endpoints: { name: string; path: string; minRatio: number }[] = [
  { name: 'list', path: '/api/v1/document/list?size=20', minRatio: 0.5 },
  { name: 'details', path: '/api/v1/document?id=1', minRatio: 0.5 },
  { name: 'search', path: `/api/v1/document/search?wd=${encodeURIComponent('豆库')}`, minRatio: 0.3 },
];

const { report, exitCode } = benchReport();
const server = await killableServer();
const latencyScript = path.join(server.folder, 'latency.lua');

type MeasureOptions = { seconds?: number; headers?: Record<string, string> };

/** Requests per second and the 95th percentile of their duration in milliseconds. */
function measure(url: string, { seconds = DURATION_SECONDS, headers = {} }: MeasureOptions = {}) {
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    latencyScript,
    ...headerArgs,
    url,
  ];
  const { stdout, error } = spawnSync('wrk', args, { encoding: 'utf8' });
  if (error) throw new Error(`wrk does not run, install the Debian package wrk: ${error.message}`);
  const errorLine = /Non-2xx or 3xx responses: (\d+)|Socket errors: .*/.exec(stdout);
  if (errorLine) throw new Error(`${url}: ${errorLine[0]}`);
  const numberAfter = (label: RegExp) => Number(label.exec(stdout)?.[1] ?? Number.NaN);
  return { rate: numberAfter(/Requests\/sec:\s+([\d.]+)/), p95: numberAfter(/p95_us ([\d.]+)/) / 1000 };
}

/** Proportional set size of the site with its database, in megabytes: memory that processes share counts once. */
async function measureMemoryMb(): Promise<number> {
  let kilobytes = 0;
  for (const pid of await server.processTree()) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

async function startBareServer() {
  const folder = path.join(server.folder, 'answers');
  await mkdir(folder);
  for (const { name, path: url } of endpoints) {
    const response = await fetch(server.origin + url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    await writeFile(path.join(folder, name), Buffer.from(await response.arrayBuffer()));
  }
  const port = await findFreePort();
  const bareServer = server.startProgram('scripts/bench-api-baseline.ts', [
    await server.databaseUrl(),
    String(port),
    folder,
  ]);
  if (bareServer.stdout) await once(bareServer.stdout, 'data');
  return { bareOrigin: `http://127.0.0.1:${port}`, stopBareServer: () => bareServer.kill() };
}

try {
  await writeFile(
    latencyScript,
    'done = function(summary, latency) io.write("p95_us " .. latency:percentile(95) .. "\\n") end\n',
  );
  // Logs every request, as in production.
  await server.start('all', { LOG_LEVEL: 'info' });
  await server.disableCaptcha();
  const site = await siteClient(server.api);
  const ids: number[] = [];
  for (let number = 1; number <= DOCUMENT_COUNT; number++) {
    const file = await site.upload(`note-${number}.txt`, Buffer.from(`豆库的第 ${number} 份文档。`.repeat(50)));
    ids.push(await site.create(file, `第 ${number} 份文档`));
  }
  for (const id of ids) await site.waitUntil(id, isComplete);
  // Conversions are no part of this load: idle is a site that was just started.
  await server.stop();
  await server.start('all', { LOG_LEVEL: 'info' });
  await sleep(IDLE_MS);
  const idleMb = await measureMemoryMb();
  report('memory of all processes, idle', { mb: idleMb, limit_mb: MAX_IDLE_MB }, idleMb <= MAX_IDLE_MB);

  const { bareOrigin, stopBareServer } = await startBareServer();
  for (const { name, path: url, minRatio } of endpoints) {
    for (const each of [server.origin + url, `${bareOrigin}/${name}`]) measure(each, { seconds: WARM_UP_SECONDS });
    const bareFigures = measure(`${bareOrigin}/${name}`);
    const siteFigures = measure(server.origin + url);
    const ratio = siteFigures.rate / bareFigures.rate;
    report(
      `${name}, requests a second`,
      {
        rate: siteFigures.rate,
        p95_ms: siteFigures.p95,
        bare_rate: bareFigures.rate,
        bare_p95_ms: bareFigures.p95,
        ratio,
        limit: minRatio,
      },
      ratio >= minRatio,
    );
  }
  stopBareServer();
  const searchPage = measure(`${server.origin}/search?wd=${encodeURIComponent('豆库')}`, {
    seconds: SEARCH_PAGE_SECONDS,
  });
  report('search page, requests a second', { rate: searchPage.rate, p95_ms: searchPage.p95 }, true);
  await sleep(IDLE_MS);
  const loadedMb = await measureMemoryMb();
  report(
    'memory of all processes, after the load',
    { mb: loadedMb, limit_mb: MAX_LOADED_MB },
    loadedMb <= MAX_LOADED_MB,
  );
  // Responses for users are never cached; these figures have no limits.
  for (const { name, path: url } of endpoints) {
    const { rate, p95 } = measure(server.origin + url, { headers: { ...site.bearer, 'user-agent': 'bench-user' } });
    report(`${name} as a user, requests a second`, { rate, p95_ms: p95 }, true);
  }
  report('memory of all processes, after the load of users', { mb: await measureMemoryMb() }, true);
} finally {
  await server.remove();
}
process.exitCode = exitCode();
