import { setImmediate as nextTick } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createSubjectCache, type SubjectCache } from './subject-cache.ts';

const clock = { now: 1 };
let loadCount = 0;
let cache: SubjectCache<string>;
beforeEach(() => {
  loadCount = 0;
  cache = createSubjectCache({ elapsed: () => clock.now, maxAgeMs: 1_000, maxBytes: 1_000 });
});

const getPage = (
  key: string,
  { bytes = 100, subjects = [key], isCacheable = true, wait = (): Promise<unknown> => nextTick() } = {},
) =>
  cache.get(key, async () => {
    loadCount++;
    const value = `${key} ${loadCount}`;
    await wait();
    return { value, bytes, subjects: new Set(subjects), isCacheable };
  });

test('concurrent readers of a missing page share one load', async () => {
  const results = await Promise.all(Array.from({ length: 100 }, () => getPage('a')));
  expect(new Set(results)).toEqual(new Set(['a 1']));
  expect(await getPage('a')).toBe('a 1');
});

test('a page expires at the age limit, counted from the start of its load', async () => {
  await getPage('a', {
    wait: async () => {
      clock.now += 600;
    },
  });
  clock.now += 400;
  expect(await getPage('a')).toBe('a 1');
  clock.now += 1;
  expect(await getPage('a')).toBe('a 2');
});

test('a page that is invalidated during its load is not served to later readers', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const earlyRead = getPage('a', { wait: () => promise });
  cache.invalidate();
  const lateRead = getPage('a');
  resolve();
  expect([await earlyRead, await lateRead]).toEqual(['a 1', 'a 2']);
  expect(await getPage('a')).toBe('a 2');
});

test('an invalidation removes the pages with the changed subject and keeps the others', async () => {
  await getPage('a', { subjects: ['x'] });
  await getPage('b', { subjects: ['y'] });
  cache.invalidate((subjects) => subjects.has('x'));
  expect([await getPage('b'), await getPage('a')]).toEqual(['b 2', 'a 3']);
});

test('a failed load rejects all waiting readers, and the next reader loads again', async () => {
  const wait = () => Promise.reject(new Error('broken'));
  const results = await Promise.allSettled([getPage('a', { wait }), getPage('a', { wait })]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await getPage('a')).toBe('a 2');
});

test('a page that is not cacheable is loaded for every reader', async () => {
  expect([await getPage('a', { isCacheable: false }), await getPage('a')]).toEqual(['a 1', 'a 2']);
});

test('the page cache stays within its memory limit and evicts the least recently used pages first', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) await getPage(key, { bytes: 200 });
  await getPage('a');
  await getPage('f', { bytes: 200 });
  expect(cache.size()).toEqual({ entries: 5, bytes: 1_000 });
  expect(await getPage('a')).toBe('a 1');
  expect(await getPage('b', { bytes: 200 })).toBe('b 7');
  // A page larger than a quarter of the limit is not cached.
  await getPage('huge', { bytes: 300 });
  expect(cache.size().bytes).toBe(1_000);
  cache.invalidate();
  expect(cache.size()).toEqual({ entries: 0, bytes: 0 });
});

test('the subject cache accepts a share of a size as its limit', async () => {
  const cache = createSubjectCache<string>({ maxAgeMs: 1_000, maxBytes: 1_000 / 3 });
  await cache.get('a', async () => ({ value: 'a', subjects: new Set<string>(), bytes: 10, isCacheable: true }));
  expect(cache.size()).toEqual({ entries: 1, bytes: 10 });
});
