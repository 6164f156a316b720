/**
 * Runs Lighthouse (mobile) on the built site in a temporary folder as a visitor, prints the four scores of each page and
 * exits 1 if a score is below 95.
 */
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { findFreePort } from '#testing/free-port.ts';
import { chromiumPath } from '../e2e/support/browser.ts';
import { killableServer } from './killable-server.ts';

const MIN_SCORE = 95;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const pages = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['/', '/category/1', '/article/about'];

const server = await killableServer();
const debugPort = await findFreePort();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
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
let hasLowScore = false;
try {
  await server.start();
  for (const page of pages) {
    const result = await lighthouse(server.origin + page, {
      port: debugPort,
      onlyCategories: categories,
      logLevel: 'error',
    });
    if (!result) throw new Error(`no result for ${page}`);
    const { lhr } = result;
    const scores = categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100));
    const metric = (name: string) => lhr.audits[name]?.displayValue ?? '?';
    const lcp = metric('largest-contentful-paint');
    const blockingTime = metric('total-blocking-time');
    const weight = metric('total-byte-weight');
    console.log(
      `${page}: ${categories.map((name, index) => `${name} ${scores[index]}`).join(', ')}; LCP ${lcp}, blocking ${blockingTime}, ${weight}`,
    );
    for (const category of categories)
      for (const { id, weight } of lhr.categories[category]?.auditRefs ?? []) {
        const audit = lhr.audits[id];
        if (weight > 0 && audit?.score !== null && audit?.score !== undefined && audit.score < 0.9)
          console.log(`  ${category}: ${audit.title} (${audit.displayValue ?? audit.score})`);
      }
    hasLowScore ||= scores.some((score) => score < MIN_SCORE);
  }
} finally {
  await browser.close();
  await server.remove();
}
process.exitCode = hasLowScore ? 1 : 0;
