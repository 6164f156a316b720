import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { propertyRuns } from '#testing/test-tier.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv } from './search-engine.fixture.ts';

const { app, ctx } = await testApp({ env: searchEnv() });
const runs = propertyRuns({ quick: 100, full: 2_000 });
const CONCURRENT_QUERIES = 8;

const parts = [
  ...['"', "'", '\\', '-', '--', '+', '*', '%', '_', '(', ')', '<->', '<2>', '&', '|', '!', ':*'],
  ...['::', ';', '/*', '*/', '$$', '${', '{}', '[', ']', '\u0000', '\u202e', '\ud800', '\udc00'],
  ...['or 1=1', "'; drop table documents; --", 'union select', 'null', 'NaN', '-1', '1e309'],
  ...['😀', '👨‍👩‍👧‍👦', '𠮷', '﷽', 'İ', 'ß', 'Ａ', '　', '\t', '\n', '数据', '数据库', '的', '龘', 'a'.repeat(300)],
  ...['<script>alert(1)</script>', '../../etc/passwd', 'http://[::1]', '-"', '""', '“', '”', '「'],
];
const maliciousQuery = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((queryParts) => queryParts.join('')),
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((queryParts) => queryParts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(...parts).map((part) => part.repeat(Math.ceil(10_000 / part.length)).slice(0, 10_240)),
);

const percentile95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

test('random and malicious queries cause no server error and take at most about ten times as long as ordinary ones', async () => {
  await publishText(ctx, {
    title: '数据库系统',
    pages: ['数据库 😀 𠮷野家', 'drop table documents'],
  });
  await indexQueuedDocuments(ctx);
  const times: number[] = [];
  const ordinaryTimes: number[] = [];
  const ask = async (path: string, wd: string, durations = times) => {
    const query = encodeURIComponent(wd.toWellFormed());
    const startedAt = performance.now();
    const answer = await app.inject({
      url: `/api/v1/${path}?wd=${query}&sort=${query.slice(0, 20)}`,
    });
    durations.push(performance.now() - startedAt);
    const description = `${path} ${JSON.stringify(wd).slice(0, 200)}: ${answer.body}`;
    expect(answer.statusCode, description).toBeLessThan(500);
  };
  const askOrdinaryQueries = async (count: number) => {
    for (let at = 0; at < count; at += 1) await ask('document/search', '数据库', ordinaryTimes);
  };
  await askOrdinaryQueries(30);
  const queries = fc.sample(maliciousQuery, runs);
  for (let from = 0; from < queries.length; from += CONCURRENT_QUERIES) {
    // Between the batches, because the load of the machine may change meanwhile.
    await askOrdinaryQueries(1);
    const batch = queries.slice(from, from + CONCURRENT_QUERIES);
    // Sends one query of each batch to the suggestions as well.
    await Promise.all([ask('search/suggest', batch[0] ?? ''), ...batch.map((wd) => ask('document/search', wd))]);
  }
  expect(percentile95(times)).toBeLessThan(300 + 10 * percentile95(ordinaryTimes));
  const { statusCode, body } = await app.inject({
    url: `/api/v1/document/search?wd=${encodeURIComponent('数据库')}`,
  });
  expect([statusCode, JSON.parse(body).total]).toEqual([200, 1]);
});
