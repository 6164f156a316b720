import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { type FileFormat, fileFormats } from './conversion.contract.ts';
import { derivedKeys } from './rendition-keys.ts';
import { readViewUrl, viewUrls } from './view-urls.ts';

const { ctx } = await testApp();
const formats = Object.keys(fileFormats) as FileFormat[];

test.each(formats)('the cover and page links of a %s document name their stored images', async (format) => {
  const content = { hash: 'a1'.repeat(32), format, version: 3 };
  const keys = derivedKeys(content);
  const urls = await viewUrls(ctx);
  const keyOf = async (link: string) => {
    const { pathname, searchParams } = new URL(link, 'http://localhost');
    const expires = searchParams.get('e') ?? '';
    const signature = searchParams.get('s') ?? '';
    const path = pathname.slice('/view/'.length);
    return (await readViewUrl(ctx, { path, expires, signature }))?.key;
  };
  expect(await keyOf(urls.cover(content, 7))).toBe(keys.cover);
  expect(await keyOf(urls.page(content, { documentId: 7, page: 2 }))).toBe(keys.page(2));
});
