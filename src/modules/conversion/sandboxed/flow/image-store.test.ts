import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { pictureStore } from './image-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'douku-pictures-'));
afterAll(() => rm(folder, { recursive: true }));

const square = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();

test('a picture that a book holds under several paths is written and announced once', async () => {
  const announced: unknown[] = [];
  const pictures = pictureStore(folder, (event) => announced.push(event));
  await pictures.add('a.png', await square('red'));
  // The announced file is moved away; a second file under its name could be removed with it.
  await rm(join(folder, 'i'), { recursive: true });
  await Promise.all([
    pictures.add('b.png', await square('red')),
    pictures.add('c.png', await square('blue')),
    pictures.add('d.png', await square('blue')),
  ]);
  expect(pictures.nameOf('b.png')).toBe(pictures.nameOf('a.png'));
  expect(pictures.nameOf('d.png')).toBe(pictures.nameOf('c.png'));
  expect(announced).toEqual([
    { type: 'file', name: pictures.nameOf('a.png') },
    { type: 'file', name: pictures.nameOf('c.png') },
  ]);
  expect(await readdir(join(folder, 'i'))).toHaveLength(1);
});
