import { crc32 } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import sharp from 'sharp';

/** Builds a multipart body with one file like a browser; `name` is not escaped. */
export function multipartForm(bytes: Buffer, name = 'picture.png', field = 'file') {
  const boundary = '----douku-test-boundary';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

export function uploadRequest(
  target: string,
  bytes: Buffer,
  name: string,
  headers: { authorization?: string } = {},
): InjectOptions {
  const { payload, contentType } = multipartForm(bytes, name);
  return {
    method: 'POST',
    url: `/api/v1/upload/${target}`,
    payload,
    headers: { ...headers, 'content-type': contentType },
  };
}

let pictureNumber = 0;
export const makePicture = (format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png', width = 8, height = 6) => {
  pictureNumber += 1;
  const background = { r: pictureNumber % 256, g: Math.floor(pictureNumber / 256), b: 77 };
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
};

export function pngHead(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', Buffer.from([0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Builds a GIF of empty frames. */
export function makeGif(frames: number, width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const screen = Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])]);
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0]),
    Buffer.from([1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]),
  ]);
  return Buffer.concat([screen, ...Array(frames).fill(frame), Buffer.from([0x3b])]);
}
