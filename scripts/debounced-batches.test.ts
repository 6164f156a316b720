import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debouncedBatches } from './debounced-batches.ts';

const QUIET_MS = 100;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startBatches() {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const batches = debouncedBatches([readable], QUIET_MS);
  const next = async () => (await batches.next()).value;
  const change = async (name: string) => {
    await writer.write(name);
    await vi.advanceTimersByTimeAsync(QUIET_MS / 2);
  };
  return {
    writer,
    batches,
    next,
    change,
    becomeQuiet: () => vi.advanceTimersByTimeAsync(QUIET_MS),
  };
}

test('files that change within the quiet time form one batch', async () => {
  const { next, change, becomeQuiet } = startBatches();
  const batch = next();
  for (const name of ['a.ts', 'b.ts', 'a.ts']) await change(name);
  await becomeQuiet();
  expect(await batch).toEqual(['a.ts', 'b.ts']);
});

test.each([
  ['long before', true],
  ['just before', false],
])(
  'a file that changes %s the next batch is requested is part of that batch, and no empty batch follows',
  async (_, isQuiet) => {
    const { next, change, becomeQuiet } = startBatches();
    const first = next();
    await change('a.ts');
    await becomeQuiet();
    expect(await first).toEqual(['a.ts']);
    await change('b.ts');
    if (isQuiet) await becomeQuiet();
    const second = next();
    await becomeQuiet();
    expect(await second).toEqual(['b.ts']);
    const third = next();
    await becomeQuiet();
    await change('c.ts');
    await becomeQuiet();
    expect(await third).toEqual(['c.ts']);
  },
);

test('batches end when their sources end', async () => {
  const { writer, batches } = startBatches();
  const last = batches.next();
  await writer.close();
  expect(await last).toEqual({ done: true, value: undefined });
});
