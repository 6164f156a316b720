import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNonce, createNoncePage, NONCE_PLACEHOLDER, renderGzip, renderPlain } from './nonce-page.ts';

test('a nonce page with any content renders the same text plain and gzipped, with the given nonce', () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('<script nonce="豆库">'.repeat(40)));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
      const page = createNoncePage(parts.join(NONCE_PLACEHOLDER));
      for (const nonce of [createNonce(), createNonce()]) {
        // Encoded part by part: a lone surrogate becomes the replacement character.
        const text = Buffer.from(parts.map((each) => Buffer.from(each).toString()).join(nonce));
        expect(renderPlain(page, nonce).equals(text)).toBe(true);
        expect(gunzipSync(renderGzip(page, nonce)).equals(text)).toBe(true);
      }
    }),
  );
});

test('a nonce page that is gzipped in pieces is at most 10 % larger than one gzipped as a whole', () => {
  const list = Array.from({ length: 400 }, (_, index) => `<li><a href="/document/${index}">第 ${index} 份文档</a>`);
  const parts = [list.slice(0, 200), list, list.toReversed(), ['end']].map((part) => part.join(''));
  const page = createNoncePage(parts.join(NONCE_PLACEHOLDER));
  const gzipLength = gzipSync(renderPlain(page, createNonce())).length;
  expect(renderGzip(page, createNonce()).length).toBeLessThan(gzipLength * 1.1 + 200);
});

test('createNoncePage gives equal pages equal etags and different pages different etags', () => {
  const etags = ['a', 'b', `a${NONCE_PLACEHOLDER}`].map((html) => createNoncePage(html).etag);
  expect(new Set(etags).size).toBe(3);
  expect(createNoncePage('a').etag).toBe(etags[0]);
});
