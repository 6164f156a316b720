import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { searchEnv } from './engine.fixture.ts';
import { indexWaiting } from './index-documents.ts';
import { publishText } from './search.fixture.ts';

const { app, ctx } = await testApp({ env: searchEnv() });
const QUERIES = 2_000;

const parts = [
  ...['"', "'", '\\', '-', '--', '+', '*', '%', '_', '(', ')', '<->', '<2>', '&', '|', '!', ':*'],
  ...['::', ';', '/*', '*/', '$$', '${', '{}', '[', ']', '\u0000', '\u202e', '\ud800', '\udc00'],
  ...['or 1=1', "'; drop table documents; --", 'union select', 'null', 'NaN', '-1', '1e309'],
  ...[
    '😀',
    '👨‍👩‍👧‍👦',
    '𠮷',
    '﷽',
    'İ',
    'ß',
    'Ａ',
    '　',
    '\t',
    '\n',
    '数据',
    '数据库',
    '的',
    '龘',
    'a'.repeat(300),
  ],
  ...['<script>alert(1)</script>', '../../etc/passwd', 'http://[::1]', '-"', '""', '“', '”', '「'],
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join('')),
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .constantFrom(...parts)
    .map((part) => part.repeat(Math.ceil(10_000 / part.length)).slice(0, 10_240)),
);

test('2,000 random and hostile queries are answered, none with an error of ours, all soon', async () => {
  await publishText(ctx, {
    title: '数据库系统',
    pages: ['数据库 😀 𠮷野家', 'drop table documents'],
  });
  await indexWaiting(ctx);
  const times: number[] = [];
  for (const [at, wd] of fc.sample(hostile, QUERIES).entries()) {
    const query = encodeURIComponent(wd.toWellFormed());
    // Every tenth is typed as well.
    for (const path of at % 10 === 0
      ? ['document/search', 'search/suggest']
      : ['document/search']) {
      const began = performance.now();
      const answer = await app.inject({
        url: `/api/v1/${path}?wd=${query}&sort=${query.slice(0, 20)}`,
      });
      times.push(performance.now() - began);
      expect(
        answer.statusCode,
        `${path} ${JSON.stringify(wd).slice(0, 200)}: ${answer.body}`,
      ).toBeLessThan(500);
    }
  }
  times.sort((one, other) => one - other);
  expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(300);
  const { statusCode, body } = await app.inject({
    url: `/api/v1/document/search?wd=${encodeURIComponent('数据库')}`,
  });
  expect([statusCode, JSON.parse(body).total]).toEqual([200, 1]);
}, 120_000);
