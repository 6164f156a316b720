import { readdir, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { docxWithPicture, makeEpub } from './document-files.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;
const SIDE_PIXELS = 50_000;
/** Memory limit of a program plus the processes that start and watch it. */
const MAX_MEMORY_BYTES = 700 * 1024 * 1024;

/** Builds a black PNG of one bit per pixel: a small file, but ten gigabytes in RGBA. */
function hugePng(): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const typeAndBody = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    check.writeUInt32BE(crc32(typeAndBody));
    return Buffer.concat([length, typeAndBody, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE_PIXELS, 0);
  header.writeUInt32BE(SIDE_PIXELS, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const [rowBytes, rowsPerChunk] = [1 + SIDE_PIXELS / 8, 1_000];
  // Compresses one chunk and repeats it, to avoid compressing all bytes.
  const rows = deflateRawSync(Buffer.alloc(rowBytes * rowsPerChunk), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const adler = Buffer.alloc(4);
  adler.writeUInt16BE((rowBytes * SIDE_PIXELS) % 65_521, 0);
  adler.writeUInt16BE(1, 2);
  const compressedRows = Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: SIDE_PIXELS / rowsPerChunk }, () => rows),
    Buffer.from([0x03, 0x00]),
    adler,
  ]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', compressedRows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Memory of all descendant processes, in bytes. */
async function memoryOfChildren(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      // The process name in brackets may contain any character.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { pid: Number(pid), parent: Number(fields[1]), bytes: Number(fields[21]) * 4096 };
    }),
  );
  const family = new Set([process.pid]);
  for (let previousSize = 0; previousSize < family.size; ) {
    previousSize = family.size;
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid);
  }
  return stats.reduce((sum, { pid, bytes }) => sum + (family.has(pid) && pid !== process.pid ? bytes : 0), 0);
}

/** Converts a document; also returns the peak memory of the child processes. */
async function convert(name: string, bytes: Buffer) {
  let maxMemoryBytes = 0;
  let isFinished = false;
  const watchMemory = async () => {
    while (!isFinished) {
      maxMemoryBytes = Math.max(maxMemoryBytes, await memoryOfChildren());
      await sleep(50);
    }
  };
  const watchPromise = watchMemory();
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id).finally(() => {
    isFinished = true;
  });
  await watchPromise;
  const isReady = rendition.state === 'ready';
  const keys = renditionStorageKeys(rendition);
  const plainText = isReady ? await text((await ctx.storage.get(keys.text)).stream) : '';
  return { rendition, keys, plainText, maxMemoryBytes };
}

const picture = hugePng();

test('a book with an image of 50,000 x 50,000 pixels is converted without the image', async () => {
  const html = '<p>正文仍在。</p><img src="huge.png" alt=""/>';
  const huge = { name: 'OPS/huge.png', body: picture, isStored: true };
  const { rendition, keys, plainText, maxMemoryBytes } = await convert(
    '大图.epub',
    makeEpub([{ title: '一', html }], [huge]),
  );
  expect(rendition).toMatchObject({ state: 'ready', reason: '', attempts: 1 });
  expect(plainText).toContain('正文仍在。');
  expect((await ctx.storage.read(keys.section(1))).toString()).not.toContain('<img');
  expect(maxMemoryBytes).toBeLessThan(MAX_MEMORY_BYTES);
});

test.runIf(hasOffice)(
  'the conversion of a Word document with an image of 50,000 x 50,000 pixels stays within its limits',
  async () => {
    const { rendition, plainText, maxMemoryBytes } = await convert(
      '大图.docx',
      docxWithPicture(picture, 'beside the picture'),
    );
    // LibreOffice may or may not draw the image; a failure must have a reason.
    if (rendition.state === 'ready') expect(plainText).toContain('beside the picture');
    else expect(rendition.reason).toMatch(/^文档/);
    expect(rendition.attempts).toBeLessThanOrEqual(2);
    expect(maxMemoryBytes).toBeLessThan(MAX_MEMORY_BYTES);
  },
);
