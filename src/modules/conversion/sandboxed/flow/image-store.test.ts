import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createImageStore } from './image-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'douku-pictures-'));
afterAll(() => rm(folder, { recursive: true }));

const square = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();

test('createImageStore writes and announces an image once when a book contains it under several paths', async () => {
  const announcedEvents: unknown[] = [];
  const images = createImageStore(folder, (event) => announcedEvents.push(event));
  await images.add('a.png', await square('red'));
  // The announced file is moved away; a second file under its name could be removed with it.
  await rm(join(folder, 'i'), { recursive: true });
  await Promise.all([
    images.add('b.png', await square('red')),
    images.add('c.png', await square('blue')),
    images.add('d.png', await square('blue')),
  ]);
  expect(images.nameOf('b.png')).toBe(images.nameOf('a.png'));
  expect(images.nameOf('d.png')).toBe(images.nameOf('c.png'));
  expect(announcedEvents).toEqual([
    { type: 'file', name: images.nameOf('a.png') },
    { type: 'file', name: images.nameOf('c.png') },
  ]);
  expect(await readdir(join(folder, 'i'))).toHaveLength(1);
});
