import { expect, test } from 'vitest';
import { pictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import { testApp } from '#testing/test-app.ts';
import { makePicture, multipartForm } from './picture.fixture.ts';

const { app, ctx, as } = await testApp();
const { payload, contentType } = multipartForm(await makePicture('jpeg', 64, 64));
const uploadResponse = await app.inject({
  method: 'POST',
  url: '/api/v1/upload/config',
  headers: { ...(await as.root()), 'content-type': contentType },
  payload,
});
const { path, size, hash } = uploadResponse.json().data as { path: string; size: number; hash: string };

test('a visitor gets an uploaded picture with safe headers', async () => {
  const response = await app.inject(path);
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload.length).toBe(size);
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(size),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: `"${hash}"`,
  });
});

test('HEAD of an uploaded picture returns its size without a body', async () => {
  const response = await app.inject({ method: 'HEAD', url: path });
  expect([response.statusCode, response.headers['content-length'], response.rawPayload.length]).toEqual([
    200,
    String(size),
    0,
  ]);
});

test('a request with a matching ETag is answered with 304', async () => {
  for (const tag of [`"${hash}"`, `W/"${hash}"`, `"x", "${hash}"`, '*']) {
    const response = await app.inject({ url: path, headers: { 'if-none-match': tag } });
    expect([response.statusCode, response.rawPayload.length]).toEqual([304, 0]);
  }
  const changedResponse = await app.inject({ url: path, headers: { 'if-none-match': '"other"' } });
  expect(changedResponse.statusCode).toBe(200);
});

test('a byte range of an uploaded picture is served', async () => {
  const wholeFile = (await app.inject(path)).rawPayload;
  const part = await app.inject({ url: path, headers: { range: 'bytes=2-5' } });
  expect([part.statusCode, part.headers['content-range'], part.headers['content-length']]).toEqual([
    206,
    `bytes 2-5/${size}`,
    '4',
  ]);
  expect(part.rawPayload).toEqual(wholeFile.subarray(2, 6));
  const outside = await app.inject({ url: path, headers: { range: `bytes=${size}-` } });
  expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, `bytes */${size}`]);
  const otherEtagResponse = await app.inject({
    url: path,
    headers: { range: 'bytes=2-5', 'if-range': '"other"' },
  });
  expect(otherEtagResponse.statusCode).toBe(200);
});

test('an icon that an earlier version stored is served', async () => {
  const iconPath = pictureUploadPath('config', 'ab'.repeat(32), 'ico');
  await ctx.storage.put(iconPath.slice(1), Buffer.from('icon'));
  const response = await app.inject(iconPath);
  expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([200, 'image/x-icon', 'icon']);
});

await ctx.storage.put('secret.txt', Buffer.from('secret'));
await ctx.storage.put('uploads/banner/page.html', Buffer.from('<script>alert(1)</script>'));
test.each([
  '/uploads/',
  '/uploads/banner',
  '/uploads/banner/',
  '/uploads/banner/page.html',
  '/uploads/../secret.txt',
  '/uploads/%2e%2e/secret.txt',
  '/uploads/..%2fsecret.txt',
  '/uploads/%00',
  path.replace('.webp', '.html'),
  path.replace('.webp', '.svg'),
  path.replace('/config/', '/config//'),
  path.replace(hash, 'f'.repeat(64)),
])('a path that is no uploaded picture is answered with 404: %s', async (url) => {
  const response = await app.inject(url);
  expect(response.statusCode).toBe(404);
  expect(response.body).not.toContain('secret');
  expect(response.headers['cache-control']).toBe('no-store');
});
