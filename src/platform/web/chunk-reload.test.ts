import { expect, it } from 'vitest';
import { mayReload } from './chunk-reload.ts';

it('a missing part of the site reloads the page at most once a minute', () => {
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const start = Date.parse('2026-01-01T00:00:00Z');
  expect(mayReload(memory, start)).toBe(true);
  expect(mayReload(memory, start + 1)).toBe(false);
  expect(mayReload(memory, start + 59_999)).toBe(false);
  expect(mayReload(memory, start + 60_000)).toBe(true);
  expect(mayReload(memory, start + 60_001)).toBe(false);
  expect([...kept.keys()]).toEqual(['douku:reloaded-at']);
});
