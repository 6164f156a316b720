import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createHashedPage, gzipPage, MARKER_NONCE } from './hashed-page.ts';

const hashSource = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('createHashedPage hashes the inline scripts of the site and no other script', () => {
  const page = createHashedPage(
    [
      `<script nonce="${MARKER_NONCE}">first('豆库')</script>`,
      `<script type="text/later" nonce="${MARKER_NONCE}">second()\n</script>`,
      `<script nonce="${MARKER_NONCE}" src="/a.js"></script>`,
      `<p title="<script>">text</p><script>injected()</script>`,
      `<script nonce="guess">injected()</script>`,
      `<script nonce="${MARKER_NONCE}">first('豆库')</script>`,
    ].join(''),
  );
  expect(page.scriptSources).toEqual([hashSource("first('豆库')"), hashSource('second()\n')]);
});

test('createHashedPage removes the marker, also inside of scripts, and the hash fits the sent script', () => {
  const page = createHashedPage(`<script nonce="${MARKER_NONCE}">load("${MARKER_NONCE}")</script>`);
  expect(page.htmlBytes.toString()).toBe('<script>load("")</script>');
  expect(page.scriptSources).toEqual([hashSource('load("")')]);
});

test('gzipPage compresses the same bytes once', () => {
  const page = createHashedPage('<p>豆库</p>'.repeat(100));
  expect(gunzipSync(gzipPage(page)).equals(page.htmlBytes)).toBe(true);
  expect(gzipPage(page)).toBe(gzipPage(page));
});

test('createHashedPage gives equal pages equal etags and different pages different etags', () => {
  expect(createHashedPage('a').etag).toBe(createHashedPage('a').etag);
  expect(createHashedPage('a').etag).not.toBe(createHashedPage('b').etag);
});
