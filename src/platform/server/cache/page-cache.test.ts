import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createPageCache, type PageCache } from './page-cache.ts';

const clock = { now: 0 };
let made = 0;
let cache: PageCache<string>;
beforeEach(() => {
  made = 0;
  cache = createPageCache({ elapsed: () => clock.now, maxAgeMs: 1_000, maxBytes: 1_000 });
});

const ask = (
  key: string,
  { bytes = 100, subjects = [key], isKept = true, wait = (): Promise<unknown> => turn() } = {},
) =>
  cache.get(key, async () => {
    made++;
    const value = `${key} ${made}`;
    await wait();
    return { value, bytes, subjects: new Set(subjects), isKept };
  });

test('many who ask at once wait for one making', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask('a')));
  expect(new Set(answers)).toEqual(new Set(['a 1']));
  expect(await ask('a')).toBe('a 1');
});

test('nothing is older than the limit, counted from before it was made', async () => {
  await ask('a', {
    wait: async () => {
      clock.now += 600;
    },
  });
  clock.now += 399;
  expect(await ask('a')).toBe('a 1');
  clock.now += 1;
  expect(await ask('a')).toBe('a 2');
});

test('what changed while it was being made is given to nobody who asks afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const early = ask('a', { wait: () => promise });
  cache.drop();
  const late = ask('a');
  resolve();
  expect([await early, await late]).toEqual(['a 1', 'a 2']);
  expect(await ask('a')).toBe('a 2');
});

test('a change drops what shows it, and leaves the rest', async () => {
  await ask('a', { subjects: ['x'] });
  await ask('b', { subjects: ['y'] });
  cache.drop((subjects) => subjects.has('x'));
  expect([await ask('b'), await ask('a')]).toEqual(['b 2', 'a 3']);
});

test('a failure reaches those who waited, and the next one tries again', async () => {
  const wait = () => Promise.reject(new Error('broken'));
  const answers = await Promise.allSettled([ask('a', { wait }), ask('a', { wait })]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('a')).toBe('a 2');
});

test('an answer that is not for others is made each time', async () => {
  expect([await ask('a', { isKept: false }), await ask('a')]).toEqual(['a 1', 'a 2']);
});

test('memory is bounded: what was not asked for the longest leaves first', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ask(key, { bytes: 200 });
  await ask('a');
  await ask('f', { bytes: 200 });
  expect(cache.size()).toEqual({ entries: 5, bytes: 1_000 });
  expect(await ask('a')).toBe('a 1');
  expect(await ask('b', { bytes: 200 })).toBe('b 7');
  // More than a quarter of all is not worth the others.
  await ask('huge', { bytes: 300 });
  expect(cache.size().bytes).toBe(1_000);
  cache.drop();
  expect(cache.size()).toEqual({ entries: 0, bytes: 0 });
});
