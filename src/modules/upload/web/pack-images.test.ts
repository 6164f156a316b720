import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Entry, openPromise } from 'yauzl';
import { packImages } from './pack-images.ts';

test('packImages writes a ZIP file with the images in their order and with checksums', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-pack-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const comic = await packImages(
    [
      new File(['second'], '第2页.PNG'),
      new File([new Uint8Array(2_000_000).fill(7)], '1.jpg'),
      new File([''], '空.gif'),
    ],
    '会议.cbz',
  );
  expect(comic.name).toBe('会议.cbz');
  await writeFile(`${folder}/comic.cbz`, Buffer.from(await comic.arrayBuffer()));
  const zip = await openPromise(`${folder}/comic.cbz`, { lazyEntries: true });
  const members: [name: string, bytes: number, hasChecksum: boolean][] = [];
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    const body = await buffer(await zip.openReadStreamPromise(entry));
    members.push([entry.fileName, body.length, entry.crc32 === crc32(body)]);
  }
  expect(members).toEqual([
    ['00001.png', 6, true],
    ['00002.jpg', 2_000_000, true],
    ['00003.gif', 0, true],
  ]);
});
