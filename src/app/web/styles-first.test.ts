import { expect, test } from 'vitest';
import { stylesFirst } from './styles-first.ts';

test('scripts are announced after the style sheets, and wait for them', () => {
  const head = '<meta charSet="utf-8"/><link rel="modulepreload" href="/a.js"/>';
  const page = `<html><head>${head}<link rel="stylesheet" href="/a.css"/></head><body>$&</body></html>`;
  expect(stylesFirst(page)).toBe(
    '<html><head><meta charSet="utf-8"/><link rel="stylesheet" href="/a.css"/><link rel="modulepreload" fetchPriority="low" href="/a.js"/></head><body>$&</body></html>',
  );
});
