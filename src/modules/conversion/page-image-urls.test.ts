import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { type FileFormat, fileFormats } from './conversion.contract.ts';
import { createPageImageUrls, verifyPageImageUrl } from './page-image-urls.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx } = await testApp();
const formats = Object.keys(fileFormats) as FileFormat[];

test.each(formats)('the cover and page links of a %s document resolve to their storage keys', async (format) => {
  const rendition = { hash: 'a1'.repeat(32), format, version: 3 };
  const keys = renditionStorageKeys(rendition);
  const urls = await createPageImageUrls(ctx);
  const verifiedKey = async (link: string) => {
    const { pathname, searchParams } = new URL(link, 'http://localhost');
    const expires = searchParams.get('e') ?? '';
    const signature = searchParams.get('s') ?? '';
    const path = pathname.slice('/view/'.length);
    return (await verifyPageImageUrl(ctx, { path, expires, signature }))?.key;
  };
  expect(await verifiedKey(urls.cover(rendition, 7))).toBe(keys.cover);
  expect(await verifiedKey(urls.page(rendition, { documentId: 7, page: 2 }))).toBe(keys.page(2));
});
