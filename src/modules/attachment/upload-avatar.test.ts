import sharp from 'sharp';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { cleanUnusedFiles } from './delete-unused-attachments.ts';

const { app, as, ctx, clock, pool } = await testApp();

function form(bytes: Buffer, name = 'me.png') {
  const boundary = 'x'.repeat(20);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
const picture = (background: string) =>
  sharp({ create: { width: 900, height: 300, channels: 3, background } })
    .png()
    .toBuffer();

test('an avatar is cropped to a square, and the one it replaces is removed', async () => {
  const login = await as.user();
  const send = async (bytes: Buffer) => {
    const { payload, headers } = form(bytes);
    return app.inject({
      method: 'POST',
      url: '/api/v1/upload/avatar',
      headers: { ...login, ...headers },
      payload,
    });
  };
  const first = (await send(await picture('#23694a'))).json().data;
  const shown = await app.inject(first.path);
  expect(await sharp(shown.rawPayload).metadata()).toMatchObject({
    width: 256,
    height: 256,
    format: 'webp',
  });
  const second = (await send(await picture('#8a5c00'))).json().data;
  const { avatar } = (await app.inject({ url: '/api/v1/user', headers: login })).json();
  expect(avatar).toBe(second.path);

  clock.now = new Date(clock.now.getTime() + 25 * 3_600_000);
  await cleanUnusedFiles.run(ctx, {}, { signal: AbortSignal.timeout(5000), attempt: 1 });
  expect((await app.inject(first.path)).statusCode).toBe(404);
  expect((await app.inject(second.path)).statusCode).toBe(200);
});

test('a file in a field of another name is refused, and the connection is let go', async () => {
  const login = await as.user();
  const { payload, headers } = form(Buffer.alloc(4 * 1024 * 1024));
  const renamed = Buffer.from(payload.toString('latin1').replace('name="file"', 'name="other"'), 'latin1');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/upload/avatar`, {
    method: 'POST',
    headers: { ...login, ...headers },
    body: renamed,
  });
  expect(answer.status).toBe(400);
  await answer.text();
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count))))
    .toBeLessThanOrEqual(1);
});

test('what is no picture is refused with a sentence, and the avatar stays', async () => {
  const login = await as.user();
  const { payload, headers } = form(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/upload/avatar',
    headers: { ...login, ...headers },
    payload,
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().message).toContain('只支持');
  const { rows } = await pool.query(`select count(*)::int as count from users where avatar <> ''`);
  expect(rows[0].count).toBe(1);
});
