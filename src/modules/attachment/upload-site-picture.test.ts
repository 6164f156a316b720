import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isPictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import { processCpuMs } from '#testing/processor-time.ts';
import { testApp } from '#testing/test-app.ts';
import { attachments } from './attachment.table.ts';
import { makeGif, makePicture, multipartForm, pngHead } from './picture.fixture.ts';

const { app, ctx, as, folder } = await testApp();
const root = await as.root();

async function upload(
  bytes: Buffer,
  { kind = 'banner', name = 'picture.png', field = 'file', headers = root as { authorization?: string } } = {},
) {
  const { payload, contentType } = multipartForm(bytes, name, field);
  return app.inject({
    method: 'POST',
    url: `/api/v1/upload/${kind}`,
    headers: { ...headers, 'content-type': contentType },
    payload,
  });
}
const makePixel = (background: string) =>
  sharp({ create: { width: 1, height: 1, channels: 3, background } })
    .png()
    .toBuffer();
const readStored = async (path: string) => {
  const { stream } = await ctx.storage.get(path.slice(1));
  return Buffer.concat(await Array.fromAsync(stream));
};
const statusAndCode = async (pendingResponse: ReturnType<typeof upload>) => {
  const response = await pendingResponse;
  return [response.statusCode, response.json().code];
};

describe('permission to upload a picture', () => {
  test('rejects a visitor with 401', async () => {
    const response = await upload(await makePicture(), { headers: as.visitor });
    expect(response.statusCode).toBe(401);
  });

  test.each([
    ['banner', '上传横幅'],
    ['category', '上传文档分类封面'],
    ['config', '上传配置图片文件'],
    ['article', '上传文章图片'],
  ])('requires the specific permission for %s', async (kind, title) => {
    const otherKinds = ['banner', 'category', 'config', 'article'].filter((otherKind) => otherKind !== kind);
    const forbiddenResponse = await upload(await makePicture(), {
      kind,
      headers: await as.userWith(otherKinds.map((otherKind) => `upload/${otherKind}`)),
    });
    expect([forbiddenResponse.statusCode, forbiddenResponse.json().message]).toEqual([
      403,
      `您没有权限访问【${title}】`,
    ]);
    const allowedResponse = await upload(await makePicture(), {
      kind,
      headers: await as.userWith([`upload/${kind}`]),
    });
    expect(allowedResponse.statusCode).toBe(200);
  });
});

describe('an uploaded picture', () => {
  test('is stored under its hash, and the response describes it', async () => {
    const response = await upload(await makePicture('jpeg', 40, 30), { name: '春天.jpg' });
    const { code, message, data } = response.json();
    expect([code, message]).toEqual([200, '上传成功']);
    expect(data).toMatchObject({
      user_id: 1,
      type: 5,
      type_id: 0,
      enable: true,
      name: '春天.jpg',
      width: 40,
      height: 30,
      ext: '.webp',
      created_at: '2026-03-01T08:00:00.000Z',
    });
    expect(data.path).toBe(`/uploads/banner/${data.hash.slice(0, 2)}/${data.hash}.webp`);
    expect((await readStored(data.path)).length).toBe(data.size);
  });

  test('for an article returns the response format of the editor', async () => {
    const response = await upload(await makePicture(), { kind: 'article', name: 'a.png' });
    expect(response.json()).toEqual({
      errno: 0,
      data: { url: expect.stringMatching(/^\/uploads\/article\/[0-9a-f/]+\.webp$/), alt: 'a.png' },
    });
  });

  test('that is uploaded twice has two rows and one file', async () => {
    const bytes = await makePicture();
    const [first, second] = await Promise.all([upload(bytes), upload(bytes)]);
    expect(first.json().data.path).toBe(second.json().data.path);
    expect(first.json().data.id).not.toBe(second.json().data.id);
  });

  test('loses location and camera data and keeps its orientation', async () => {
    const photo = await sharp(await makePicture('jpeg', 40, 20))
      .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { path, width, height } = (await upload(photo)).json().data;
    const metadata = await sharp(await readStored(path)).metadata();
    expect([width, height, metadata.exif, metadata.orientation]).toEqual([20, 40, undefined, undefined]);
  });

  test('stays an animation if it is one', async () => {
    const frames = await Promise.all(['red', 'green', 'blue'].map(makePixel));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { path, ext, width, height } = (await upload(gif, { name: 'a.gif' })).json().data;
    expect([ext, width, height]).toEqual(['.gif', 1, 1]);
    expect((await sharp(await readStored(path)).metadata()).pages).toBe(3);
  });

  test('stays PNG as a logo and a favicon', async () => {
    const picture = (await upload(await makePicture('png', 16, 16), { kind: 'config' })).json().data;
    expect([picture.ext, picture.type]).toEqual(['.png', 7]);
  });
});

test('an SVG logo or favicon is stored as a PNG of its picture', async () => {
  const svg = `<?xml version="1.0"?><!-- logo --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
    <script>alert(1)</script><rect width="20" height="10" fill="#ff0000"/></svg>`;
  const { path, ext, width, height } = (await upload(Buffer.from(svg), { kind: 'config', name: 'a.svg' })).json().data;
  expect([ext, width, height]).toEqual(['.png', 512, 256]);
  const { dominant } = await sharp(await readStored(path)).stats();
  expect(dominant.r).toBeGreaterThan(200);
  expect(dominant.g).toBeLessThan(50);
  const brokenSvg = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect'), { kind: 'config' });
  expect([brokenSvg.statusCode, brokenSvg.json().message]).toEqual([422, 'SVG 图片无法读取，请转换为 png 后上传']);
});

describe('the upload of a picture rejects', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const makeTruncatedJpeg = async () => (await makePicture('jpeg', 300, 300)).subarray(0, 500);
  test.each<[string, () => Buffer | Promise<Buffer>, string, unknown[]]>([
    ['an SVG named .png', () => Buffer.from(svg), 'a.png', [422, 'file.notImage']],
    ['an SVG named .svg', () => Buffer.from(`<?xml version="1.0"?>${svg}`), 'a.svg', [422, 'file.notImage']],
    ['HTML named .jpg', () => Buffer.from('<html><script>alert(1)</script>'), 'a.jpg', [422, 'file.notImage']],
    ['a PDF named .gif', () => Buffer.from('%PDF-1.7 …'), 'a.gif', [422, 'file.notImage']],
    ['a PNG of 50,000 × 50,000', () => pngHead(50_000, 50_000), 'a.png', [422, 'file.tooManyPixels']],
    ['a GIF of 10,000 frames', () => makeGif(10_000, 100, 100), 'a.gif', [422, 'file.tooManyPixels']],
    ['a PNG without data after its header', () => pngHead(100, 100), 'a.png', [422, 'file.notImage']],
    ['a truncated JPEG', makeTruncatedJpeg, 'a.jpg', [422, 'file.notImage']],
    ['an empty file', () => Buffer.alloc(0), 'a.png', [400, 'file.missing']],
  ])('%s', async (_, make, name, expected) => {
    const startedAt = processCpuMs();
    expect(await statusAndCode(upload(await make(), { name }))).toEqual(expected);
    expect(processCpuMs() - startedAt).toBeLessThan(2000);
  });

  test.each([
    ['bmp', 'BM'],
    ['ico', '\0\0\x01\0'],
  ])('a %s file with a message that names the format', async (format, signature) => {
    const bytes = Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.alloc(100)]);
    const response = await upload(bytes, { kind: 'config', name: `favicon.${format}` });
    expect([response.statusCode, response.json().message]).toEqual([422, `不支持 ${format} 图片，请转换为 png 后上传`]);
  });

  test('a file over 20 MB even if it begins like a picture', async () => {
    const huge = Buffer.concat([await makePicture(), Buffer.alloc(20 * 1024 * 1024)]);
    expect(await statusAndCode(upload(huge))).toEqual([413, 'file.tooLarge']);
  });

  test('an endless stream when it exceeds the limit', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const chunk = Buffer.alloc(65_536, 1);
    let sentBytes = 0;
    const status = await new Promise((resolve, reject) => {
      const headers = { ...root, 'content-type': 'multipart/form-data; boundary=b' };
      const url = `${address}/api/v1/upload/banner`;
      const clientRequest = request(url, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        clientRequest.destroy();
      }).on('error', reject);
      clientRequest.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
      const pump = () => {
        while (!clientRequest.destroyed && sentBytes < 1e9) {
          sentBytes += chunk.length;
          if (!clientRequest.write(chunk)) return void clientRequest.once('drain', pump);
        }
      };
      pump();
    });
    expect(status).toBe(413);
    expect(sentBytes).toBeLessThan(40 * 1024 * 1024);
  });

  test('a request without a file', async () => {
    expect(await statusAndCode(upload(await makePicture(), { field: 'other' }))).toEqual([400, 'http.invalidInput']);
    const json = await app.inject({
      method: 'POST',
      url: '/api/v1/upload/banner',
      headers: root,
      payload: { file: 'a.png' },
    });
    expect(json.statusCode).toBe(415);
  });

  test('a picture that is marked illegal', async () => {
    const bytes = await makePicture();
    const { id } = (await upload(bytes)).json().data;
    await ctx.db.update(attachments).set({ enable: false }).where(eq(attachments.id, id));
    expect(await statusAndCode(upload(bytes))).toEqual([422, 'file.illegal']);
  });
});

test.each([
  ['../../../../etc/passwd', 'passwd'],
  ['C:\\Windows\\a.png', 'a.png'],
  ['a\u0000b.png', 'ab.png'],
  ['photo\u202Egnp.exe', 'photognp.exe'],
  ['%2e%2e%2fa.png', '%2e%2e%2fa.png'],
  ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'],
  [`${'名'.repeat(300)}.png`, '名'.repeat(255)],
])('a malicious file name is only displayed and never used as a path: %j', async (name, displayName) => {
  const { data } = (await upload(await makePicture(), { name })).json();
  expect(data.name).toBe(displayName);
  expect(data.path).toMatch(/^\/uploads\/banner\/[0-9a-f]{2}\/[0-9a-f]{64}\.webp$/);
});

test('uploads write nothing outside the uploads folder', async () => {
  expect(await readdir(folder)).toEqual(['storage']);
  const keys = await Array.fromAsync(ctx.storage.list(''), ({ key }) => key);
  expect(keys.filter((key) => !isPictureUploadPath(`/${key}`))).toEqual([]);
  expect(keys.length).toBeGreaterThan(10);
});
