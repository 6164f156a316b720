import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { fileForm, makePicture } from './picture.fixture.ts';

const { app, ctx, as } = await testApp();
const { payload, contentType } = fileForm(await makePicture('jpeg', 64, 64));
const uploaded = await app.inject({
  method: 'POST',
  url: '/api/v1/upload/config',
  headers: { ...(await as.root()), 'content-type': contentType },
  payload,
});
const { path, size, hash } = uploaded.json().data as { path: string; size: number; hash: string };

test('anybody gets an uploaded picture, with headers that keep it a picture', async () => {
  const answer = await app.inject(path);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.length).toBe(size);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(size),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: `"${hash}"`,
  });
});

test('HEAD tells the size and sends nothing', async () => {
  const answer = await app.inject({ method: 'HEAD', url: path });
  expect([answer.statusCode, answer.headers['content-length'], answer.rawPayload.length]).toEqual([
    200,
    String(size),
    0,
  ]);
});

test('a browser that has the picture is told so', async () => {
  for (const tag of [`"${hash}"`, `W/"${hash}"`, `"x", "${hash}"`, '*']) {
    const answer = await app.inject({ url: path, headers: { 'if-none-match': tag } });
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([304, 0]);
  }
  const other = await app.inject({ url: path, headers: { 'if-none-match': '"other"' } });
  expect(other.statusCode).toBe(200);
});

test('a part can be asked for', async () => {
  const whole = (await app.inject(path)).rawPayload;
  const part = await app.inject({ url: path, headers: { range: 'bytes=2-5' } });
  expect([part.statusCode, part.headers['content-range'], part.headers['content-length']]).toEqual([
    206,
    `bytes 2-5/${size}`,
    '4',
  ]);
  expect(part.rawPayload).toEqual(whole.subarray(2, 6));
  const outside = await app.inject({ url: path, headers: { range: `bytes=${size}-` } });
  expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, `bytes */${size}`]);
  const changed = await app.inject({
    url: path,
    headers: { range: 'bytes=2-5', 'if-range': '"other"' },
  });
  expect(changed.statusCode).toBe(200);
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
])('nothing else is served: %s', async (url) => {
  const answer = await app.inject(url);
  expect(answer.statusCode).toBe(404);
  expect(answer.body).not.toContain('secret');
  expect(answer.headers['cache-control']).toBe('no-store');
});
