import { afterEach, expect, it, vi } from 'vitest';
import { importOptional, mayReload, reloadOnChunkFailure, urlOpenedByClick } from './reload-on-chunk-failure.ts';

afterEach(() => vi.unstubAllGlobals());

it('a missing chunk reloads the page, a missing optional chunk rejects instead', async () => {
  const reload = vi.fn();
  const storedValues = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => storedValues.get(key) ?? null,
    setItem: (key: string, value: string) => void storedValues.set(key, value),
  };
  const events = new EventTarget();
  const location = { href: 'https://site.example/login', reload };
  vi.stubGlobal('window', Object.assign(events, { sessionStorage, location }));
  reloadOnChunkFailure();
  /** Behaves like the code that Vite generates for imports. */
  const failingImport = async () => {
    await Promise.resolve();
    const event = new Event('vite:preloadError', { cancelable: true });
    events.dispatchEvent(event);
    if (!event.defaultPrevented) throw new Error('the chunk is missing');
  };
  await expect(importOptional(failingImport)).rejects.toThrow('the chunk is missing');
  expect(reload).not.toHaveBeenCalled();
  await failingImport();
  expect(reload).toHaveBeenCalledOnce();
});

it('a missing chunk reloads the page at most once a minute', () => {
  const storedItems = new Map<string, string>();
  const storage = {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => void storedItems.set(key, value),
  };
  const start = Date.parse('2026-01-01T00:00:00Z');
  expect(mayReload(storage, start)).toBe(true);
  expect(mayReload(storage, start + 1)).toBe(false);
  expect(mayReload(storage, start + 59_999)).toBe(false);
  expect(mayReload(storage, start + 60_000)).toBe(true);
  expect(mayReload(storage, start + 60_001)).toBe(false);
  expect([...storedItems.keys()]).toEqual(['douku:reloaded-at']);
});

const click = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
const origin = 'https://site.example';
const link = { href: `${origin}/category/1`, origin, target: '' };

it('urlOpenedByClick returns the URL of a link of the site for a plain click', () => {
  expect(urlOpenedByClick(click, link, origin)).toBe(`${origin}/category/1`);
});
it.each([
  ['beside a link', click, null],
  ['on a link to another site', click, { ...link, origin: 'https://elsewhere.example' }],
  ['on a link that opens another tab', click, { ...link, target: '_blank' }],
  ['with Ctrl', { ...click, ctrlKey: true }, link],
  ['with the middle button', { ...click, button: 1 }, link],
])('urlOpenedByClick is empty for a click %s', (_, event, clickedElement) => {
  expect(urlOpenedByClick(event, clickedElement, origin)).toBe('');
});
