import sharp from 'sharp';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { deleteUnusedAttachmentsJob } from './delete-unused-attachments.ts';

const { app, as, ctx, clock, pool } = await testApp();

function buildForm(bytes: Buffer, name = 'me.png') {
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

test('an uploaded avatar is cropped to a square, and the replaced avatar is deleted', async () => {
  const login = await as.user();
  const send = async (bytes: Buffer) => {
    const { payload, headers } = buildForm(bytes);
    return app.inject({
      method: 'POST',
      url: '/api/v1/upload/avatar',
      headers: { ...login, ...headers },
      payload,
    });
  };
  const first = (await send(await picture('#23694a'))).json().data;
  const avatarResponse = await app.inject(first.path);
  expect(await sharp(avatarResponse.rawPayload).metadata()).toMatchObject({
    width: 256,
    height: 256,
    format: 'webp',
  });
  const second = (await send(await picture('#8a5c00'))).json().data;
  const { avatar } = (await app.inject({ url: '/api/v1/user', headers: login })).json();
  expect(avatar).toBe(second.path);

  clock.now = new Date(clock.now.getTime() + 25 * 3_600_000);
  await deleteUnusedAttachmentsJob.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  expect((await app.inject(first.path)).statusCode).toBe(404);
  expect((await app.inject(second.path)).statusCode).toBe(200);
});

test('an avatar in a field with another name is rejected with 400, and the connection is closed', async () => {
  const login = await as.user();
  const { payload, headers } = buildForm(Buffer.alloc(4 * 1024 * 1024));
  const payloadWithOtherField = Buffer.from(
    payload.toString('latin1').replace('name="file"', 'name="other"'),
    'latin1',
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/upload/avatar`, {
    method: 'POST',
    headers: { ...login, ...headers },
    body: payloadWithOtherField,
  });
  expect(response.status).toBe(400);
  await response.text();
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count))))
    .toBeLessThanOrEqual(1);
});

test('an avatar that is no picture is rejected with a message, and the current avatar stays', async () => {
  const login = await as.user();
  const { payload, headers } = buildForm(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/upload/avatar',
    headers: { ...login, ...headers },
    payload,
  });
  expect(response.statusCode).toBe(422);
  expect(response.json().message).toContain('只支持');
  const { rows } = await pool.query(`select count(*)::int as count from users where avatar <> ''`);
  expect(rows[0].count).toBe(1);
});
