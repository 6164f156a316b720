/**
 * Lighthouse (mobile) on the built site: starts it in a temporary folder, visits as a stranger would,
 * prints the four scores of each page and exits 1 when one is below 95.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { environmentKeys } from '#platform/server/config.ts';

const LEAST = 95;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const pages =
  process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['/', '/category/1', '/article/about'];
const root = join(import.meta.dirname, '..');

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const folder = await mkdtemp(join(tmpdir(), 'douku-lighthouse-'));
const [port, debugPort] = [await freePort(), await freePort()];
const server = spawn(process.execPath, [join(root, 'src/app/server/main.ts')], {
  env: {
    ...process.env,
    ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
  },
  stdio: 'ignore',
});
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    `--remote-debugging-port=${debugPort}`,
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
let failed = false;
try {
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    await sleep(200);
  }
  for (const page of pages) {
    const result = await lighthouse(`http://127.0.0.1:${port}${page}`, {
      port: debugPort,
      onlyCategories: categories,
      logLevel: 'error',
    });
    if (!result) throw new Error(`no result for ${page}`);
    const { lhr } = result;
    const scores = categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100));
    const metric = (name: string) => lhr.audits[name]?.displayValue ?? '?';
    const lcp = metric('largest-contentful-paint');
    const blocking = metric('total-blocking-time');
    const weight = metric('total-byte-weight');
    console.log(
      `${page}: ${categories.map((name, at) => `${name} ${scores[at]}`).join(', ')}; LCP ${lcp}, blocking ${blocking}, ${weight}`,
    );
    for (const category of categories)
      for (const { id, weight } of lhr.categories[category]?.auditRefs ?? []) {
        const audit = lhr.audits[id];
        if (weight > 0 && audit?.score !== null && audit?.score !== undefined && audit.score < 0.9)
          console.log(`  ${category}: ${audit.title} (${audit.displayValue ?? audit.score})`);
      }
    failed ||= scores.some((score) => score < LEAST);
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
