/**
 * How fast visitors get pages: from memory, and drawn anew each time. Prints JSON lines; exits 1 when
 * a promise is not kept. `wrk` asks; see docs/decisions/0020-html-cache.md.
 */
import { spawnSync } from 'node:child_process';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { benchReport } from './bench-report.ts';
import { killableServer } from './killable-server.ts';
import { isComplete, siteClient } from './site-client.ts';

const PROMISED_PER_SECOND = 2_000;
const PROMISED_RATIO = 10;
const SECONDS = 3;
const DOCUMENTS = 6;
const CONNECTIONS = 32;
/** Somebody who has just written something is drawn for anew. */
const FRESH = 'Cookie: douku_writer=1';

const { report, exitCode } = benchReport();
const server = await killableServer();

/** Answers a second. */
function ask(path: string, headers: string[], seconds = SECONDS): number {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s'];
  const { stdout, error } = spawnSync(
    'wrk',
    [...args, ...headers.flatMap((header) => ['-H', header]), server.origin + path],
    { encoding: 'utf8' },
  );
  if (error) throw new Error(`wrk does not run, install the Debian package wrk: ${error.message}`);
  const refused = /Non-2xx or 3xx responses: (\d+)|Socket errors: .*/.exec(stdout);
  if (refused) throw new Error(`${path}: ${refused[0]}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}

try {
  // Every request is logged, as on a site.
  await server.start('all', { LOG_LEVEL: 'info' });
  await server.dropCaptcha();
  const site = await siteClient(server.api);
  const text = (page: number) => `豆库 ${page} `.repeat(40);
  const ids: number[] = [];
  for (let at = 0; at < DOCUMENTS; at++) {
    const file = await site.upload(`book-${at}.pdf`, makePdf({ pages: 12, text: (page) => `${at} ${text(page)}` }));
    ids.push(await site.create(file, `第 ${at + 1} 份文档`));
  }
  for (const id of ids) await site.until(id, isComplete);

  for (const [name, path] of [
    ['home', '/'],
    ['document', `/document/${ids[0]}`],
  ] as const) {
    const gzip = 'Accept-Encoding: gzip';
    for (const warm of [[FRESH], []]) ask(path, warm, 1);
    // Not packed either, which would only make it slower.
    const uncached = ask(path, [FRESH]);
    const packed = ask(path, [gzip]);
    const plain = ask(path, []);
    const cached = Math.min(packed, plain);
    report(
      `${name} page, requests a second`,
      {
        cached_gzip: packed,
        cached_plain: plain,
        uncached,
        ratio: cached / uncached,
        limit: PROMISED_PER_SECOND,
        ratio_limit: PROMISED_RATIO,
      },
      cached >= PROMISED_PER_SECOND && cached / uncached >= PROMISED_RATIO,
    );
  }
} finally {
  await server.remove();
}
process.exitCode = exitCode();
