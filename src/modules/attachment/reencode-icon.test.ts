import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parseIconPictures } from './parse-icon.ts';
import { makeIcon, makePicture } from './picture.fixture.ts';
import { reencodeIcon } from './reencode-icon.ts';

type Pixel = [number, number, number, number];
const TRANSPARENT: Pixel = [0, 0, 0, 0];

/**
 * Builds an icon with one bitmap; `rows` from top to bottom, each value a palette index or a colour, -1 transparent.
 */
function bitmapIcon(bits: number, width: number, rows: number[][], palette: number[][] = []) {
  const height = rows.length;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const maskStride = Math.ceil(width / 32) * 4;
  const body = Buffer.alloc(40 + palette.length * 4 + (stride + maskStride) * height);
  body.writeUInt32LE(40, 0);
  body.writeInt32LE(width, 4);
  body.writeInt32LE(height * 2, 8);
  body.writeUInt16LE(1, 12);
  body.writeUInt16LE(bits, 14);
  body.writeUInt32LE(palette.length, 32);
  palette.forEach(([red = 0, green = 0, blue = 0], at) => {
    body.set([blue, green, red, 0], 40 + at * 4);
  });
  const start = 40 + palette.length * 4;
  const mask = start + stride * height;
  rows.forEach((row, y) => {
    row.forEach((value, x) => {
      const line = start + stride * (height - 1 - y);
      if (value === -1) {
        const at = mask + maskStride * (height - 1 - y) + (x >> 3);
        body[at] = (body[at] ?? 0) | (128 >> (x & 7));
      } else if (bits > 8) body.writeUIntLE(value, line + (x * bits) / 8, bits / 8);
      else {
        const at = line + ((x * bits) >> 3);
        body[at] = (body[at] ?? 0) | (value << (8 - bits - ((x * bits) & 7)));
      }
    });
  });
  return makeIcon(body);
}

async function redrawPixels(icon: Buffer): Promise<Pixel[]> {
  const { bytes } = await reencodeIcon(icon);
  const [picture] = parseIconPictures(bytes);
  expect(picture?.isPng).toBe(true);
  const raw = await sharp(picture?.bytes).ensureAlpha().raw().toBuffer();
  return Array.from({ length: raw.length / 4 }, (_, at) => {
    const pixel = [...raw.subarray(at * 4, at * 4 + 4)] as Pixel;
    return pixel[3] === 0 ? TRANSPARENT : pixel;
  });
}

describe('reencodeIcon', () => {
  const red: Pixel = [255, 0, 0, 255];
  const green: Pixel = [0, 128, 0, 255];
  const palette = [
    [255, 0, 0],
    [0, 128, 0],
  ];
  test.each([1, 4, 8])('decodes a bitmap with a palette of %i bits', async (bits) => {
    const icon = bitmapIcon(
      bits,
      3,
      [
        [0, 1, 0],
        [1, -1, 1],
      ],
      palette,
    );
    expect(await redrawPixels(icon)).toEqual([red, green, red, green, TRANSPARENT, green]);
  });

  test('decodes a bitmap of 24 bits with a mask', async () => {
    const icon = bitmapIcon(24, 2, [
      [0xff0000, 0x008000],
      [-1, 0xff0000],
    ]);
    expect(await redrawPixels(icon)).toEqual([red, green, TRANSPARENT, red]);
  });

  test('decodes a bitmap of 32 bits by its alpha channel, or by the mask when that is empty', async () => {
    const withAlpha = bitmapIcon(32, 2, [[0xffff0000, 0x80008000]]);
    expect(await redrawPixels(withAlpha)).toEqual([red, [0, 128, 0, 128]]);
    const withMask = bitmapIcon(32, 2, [[0x00ff0000, -1]]);
    expect(await redrawPixels(withMask)).toEqual([red, TRANSPARENT]);
  });

  test('removes metadata and appended data', async () => {
    const text = 'CAMERA-AND-PLACE';
    const png = await sharp(await makePicture('png', 16, 16))
      .withExif({ IFD0: { Copyright: text } })
      .png()
      .toBuffer();
    const iconWithPayload = Buffer.concat([makeIcon(png), Buffer.from('<script>alert(1)</script>')]);
    expect(iconWithPayload.includes(text)).toBe(true);
    const { bytes, width, height } = await reencodeIcon(iconWithPayload);
    expect([width, height]).toEqual([16, 16]);
    expect(bytes.includes(text)).toBe(false);
    expect(bytes.includes('<script>')).toBe(false);
    expect((await reencodeIcon(bytes)).bytes).toEqual(bytes);
  });

  test('keeps the sizes of an icon up to 256 pixels', async () => {
    const pngs = [await makePicture('png', 16, 16), await makePicture('png', 512, 512)];
    const head = Buffer.alloc(6 + 32);
    head.writeUInt16LE(1, 2);
    head.writeUInt16LE(2, 4);
    let offset = head.length;
    for (const [at, png] of pngs.entries()) {
      head.writeUInt32LE(png.length, 6 + at * 16 + 8);
      head.writeUInt32LE(offset, 6 + at * 16 + 12);
      offset += png.length;
    }
    const { bytes, width } = await reencodeIcon(Buffer.concat([head, ...pngs]));
    expect(width).toBe(256);
    expect(parseIconPictures(bytes).map((picture) => picture.width)).toEqual([16, 256]);
    expect([bytes[6], bytes[22]]).toEqual([16, 0]);
  });
});

test.each<[string, Buffer]>([
  ['with fewer bytes than pixels', bitmapIcon(24, 8, [[1, 2, 3]]).subarray(0, 22 + 50)],
  ['with 16 bits', bitmapIcon(16, 2, [[1, 2]])],
  ['with a palette that is larger than the file', bitmapIcon(8, 1, [[0]])],
])('reencodeIcon rejects an icon %s', async (_, icon) => {
  const iconWithSize = Buffer.from(icon);
  iconWithSize.writeUInt32LE(icon.length - 22, 14);
  await expect(reencodeIcon(iconWithSize)).rejects.toThrow();
});
