import { expect, it } from 'vitest';
import { linkTarget, mayReload } from './chunk-reload.ts';

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

const click = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
const origin = 'https://site.example';
const link = { href: `${origin}/category/1`, origin, target: '' };

it('a plain click on a link of the site leads to its target', () => {
  expect(linkTarget(click, link, origin)).toBe(`${origin}/category/1`);
});
it.each([
  ['beside a link', click, null],
  ['on a link to another site', click, { ...link, origin: 'https://elsewhere.example' }],
  ['on a link that opens another tab', click, { ...link, target: '_blank' }],
  ['with Ctrl', { ...click, ctrlKey: true }, link],
  ['with the middle button', { ...click, button: 1 }, link],
])('a click %s leads to no page in this tab', (_, event, clicked) => {
  expect(linkTarget(event, clicked, origin)).toBe('');
});
