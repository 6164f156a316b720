import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gzipBytes, newNonce, noncePage, PLACEHOLDER, plainBytes } from './nonce-page.ts';

test('whatever a page holds, packed and plain are the same text with the nonce of this answer', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('<script nonce="豆库">'.repeat(40)));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }), (pieces) => {
      const page = noncePage(pieces.join(PLACEHOLDER));
      for (const nonce of [newNonce(), newNonce()]) {
        // As bytes: half a character becomes the sign for what cannot be written.
        const text = Buffer.from(pieces.map((part) => Buffer.from(part).toString()).join(nonce));
        expect(plainBytes(page, nonce).equals(text)).toBe(true);
        expect(gunzipSync(gzipBytes(page, nonce)).equals(text)).toBe(true);
      }
    }),
  );
});

test('packed in pieces a page is hardly larger than packed as a whole', () => {
  const list = Array.from({ length: 400 }, (_, at) => `<li><a href="/document/${at}">第 ${at} 份文档</a>`);
  const parts = [list.slice(0, 200), list, list.toReversed(), ['end']].map((part) => part.join(''));
  const page = noncePage(parts.join(PLACEHOLDER));
  const whole = gzipSync(plainBytes(page, newNonce())).length;
  expect(gzipBytes(page, newNonce()).length).toBeLessThan(whole * 1.1 + 200);
});

test('pages that differ have different tags', () => {
  const tags = ['a', 'b', `a${PLACEHOLDER}`].map((html) => noncePage(html).tag);
  expect(new Set(tags).size).toBe(3);
  expect(noncePage('a').tag).toBe(tags[0]);
});
