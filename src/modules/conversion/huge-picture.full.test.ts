import { readdir, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, settled } from './conversion.fixture.ts';
import { docxWithPicture, makeEpub } from './document-files.fixture.ts';
import { derivedKeys } from './rendition-keys.ts';

const { ctx } = await testApp({ work: true, conversions: 'real' });
const hasOffice = (await canIsolate()) && (await findProgram('soffice')) !== null;
const SIDE = 50_000;
/** What a program may take, and those that start and watch it. */
const MOST_BYTES = 700 * 1024 * 1024;

/** A black PNG of one bit a pixel: small as a file, ten gigabytes once each pixel has its colour. */
function hugePng(): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const [rowBytes, rowsAtOnce] = [1 + SIDE / 8, 1_000];
  // Packed once and repeated: nobody has to go through all those bytes to write them.
  const rows = deflateRawSync(Buffer.alloc(rowBytes * rowsAtOnce), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const adler = Buffer.alloc(4);
  adler.writeUInt16BE((rowBytes * SIDE) % 65_521, 0);
  adler.writeUInt16BE(1, 2);
  const packed = Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: SIDE / rowsAtOnce }, () => rows),
    Buffer.from([0x03, 0x00]),
    adler,
  ]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Memory of all this process started, in bytes. */
async function memoryOfChildren(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      // The name, in brackets, may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { pid: Number(pid), parent: Number(fields[1]), bytes: Number(fields[21]) * 4096 };
    }),
  );
  const family = new Set([process.pid]);
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid);
  }
  return stats.reduce((sum, { pid, bytes }) => sum + (family.has(pid) && pid !== process.pid ? bytes : 0), 0);
}

/** What becomes of a document, and how much memory that took at most. */
async function convert(name: string, bytes: Buffer) {
  let most = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      most = Math.max(most, await memoryOfChildren());
      await sleep(50);
    }
  };
  const watching = watch();
  const { id } = await addRendition(ctx, name, bytes);
  const content = await settled(ctx, id).finally(() => {
    isOver = true;
  });
  await watching;
  const isReady = content.state === 'ready';
  const keys = derivedKeys(content);
  const plain = isReady ? await text((await ctx.storage.get(keys.text)).stream) : '';
  return { content, keys, plain, most };
}

const picture = hugePng();

test('a book with a picture of fifty thousand pixels a side is read without the picture', async () => {
  const html = '<p>正文仍在。</p><img src="huge.png" alt=""/>';
  const huge = { name: 'OPS/huge.png', body: picture, isStored: true };
  const { content, keys, plain, most } = await convert('大图.epub', makeEpub([{ title: '一', html }], [huge]));
  expect(content).toMatchObject({ state: 'ready', reason: '', attempts: 1 });
  expect(plain).toContain('正文仍在。');
  expect((await ctx.storage.read(keys.section(1))).toString()).not.toContain('<img');
  expect(most).toBeLessThan(MOST_BYTES);
});

test.runIf(hasOffice)('a Word document with such a picture ends within its limits', async () => {
  const { content, plain, most } = await convert('大图.docx', docxWithPicture(picture, 'beside the picture'));
  // How far the office gets is its own affair; a failure has to be told.
  if (content.state === 'ready') expect(plain).toContain('beside the picture');
  else expect(content.reason).toMatch(/^文档/);
  expect(content.attempts).toBeLessThanOrEqual(2);
  expect(most).toBeLessThan(MOST_BYTES);
});
