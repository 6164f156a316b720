/**
 * Measures pages per second for visitors with `wrk`: cached, and rendered for each request. Prints JSON lines; exits 1 if a
 * figure misses its limit. See docs/decisions/0020-html-cache.md.
 */
import { spawnSync } from 'node:child_process';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { benchReport } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const MIN_REQUESTS_PER_SECOND = 2_000;
const MIN_RATIO = 20;
const DURATION_SECONDS = 3;
const DOCUMENT_COUNT = 6;
const CONNECTIONS = 32;
/** With this cookie the server renders the page instead of using its cache. */
const BYPASS_CACHE = 'Cookie: douku_writer=1';

const { report, exitCode } = benchReport();
const server = await killableServer();

/** Requests per second. */
function measureRate(path: string, headers: string[], seconds = DURATION_SECONDS): number {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s'];
  const { stdout, error } = spawnSync(
    'wrk',
    [...args, ...headers.flatMap((header) => ['-H', header]), server.origin + path],
    { encoding: 'utf8' },
  );
  if (error) throw new Error(`wrk does not run, install the Debian package wrk: ${error.message}`);
  const errorLine = /Non-2xx or 3xx responses: (\d+)|Socket errors: .*/.exec(stdout);
  if (errorLine) throw new Error(`${path}: ${errorLine[0]}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}

try {
  // Logs every request, as in production.
  await server.start('all', { LOG_LEVEL: 'info' });
  await server.disableCaptcha();
  const site = await siteClient(server.api);
  const text = (page: number) => `豆库 ${page} `.repeat(40);
  const ids: number[] = [];
  for (let index = 0; index < DOCUMENT_COUNT; index++) {
    const file = await site.upload(
      `book-${index}.pdf`,
      makePdf({ pages: 12, text: (page) => `${index} ${text(page)}` }),
    );
    ids.push(await site.create(file, `第 ${index + 1} 份文档`));
  }
  for (const id of ids) await site.waitUntil(id, isComplete);

  for (const [name, path] of [
    ['home', '/'],
    ['document', `/document/${ids[0]}`],
  ] as const) {
    const gzip = 'Accept-Encoding: gzip';
    for (const headers of [[BYPASS_CACHE], []]) measureRate(path, headers, 1);
    // Without gzip, which would only make it slower.
    const uncachedRate = measureRate(path, [BYPASS_CACHE]);
    const gzipRate = measureRate(path, [gzip]);
    const plainRate = measureRate(path, []);
    const cachedRate = Math.min(gzipRate, plainRate);
    report(
      `${name} page, requests a second`,
      {
        cached_gzip: gzipRate,
        cached_plain: plainRate,
        uncached: uncachedRate,
        ratio: cachedRate / uncachedRate,
        limit: MIN_REQUESTS_PER_SECOND,
        ratio_limit: MIN_RATIO,
      },
      cachedRate >= MIN_REQUESTS_PER_SECOND && cachedRate / uncachedRate >= MIN_RATIO,
    );
  }
} finally {
  await server.remove();
}
process.exitCode = exitCode();
