import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';
import { writeZipFile } from './write-zip-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'write-zip-file-'));
const file = path.join(folder, 'archive.zip');
afterAll(() => rmSync(folder, { recursive: true }));

test('writeZipFile writes each member before it reads the next one', async () => {
  const sizes: number[] = [];
  async function* readMembers(): AsyncGenerator<ZipMember> {
    for (const name of ['a', 'b', 'c']) {
      sizes.push(statSync(file).size);
      yield { name, body: randomBytes(100_000) };
    }
  }
  await writeZipFile(file, readMembers());
  expect(sizes[0]).toBe(0);
  expect(sizes[1]).toBeGreaterThan(100_000);
  expect(sizes[2]).toBeGreaterThan(200_000);
});

test.each([
  ['no members', []],
  ['one member', [{ name: 'a.txt', body: 'text' }]],
  [
    'several members, one of them stored',
    [
      { name: 'mimetype', body: 'application/zip', isStored: true },
      { name: '图片/一.png', body: Buffer.alloc(100_000, 'picture') },
      { name: 'empty', body: '' },
    ],
  ],
])('writeZipFile writes the same bytes as writeZip for %s', async (_, members) => {
  async function* readMembers(): AsyncGenerator<ZipMember> {
    yield* members;
  }
  await writeZipFile(file, readMembers());
  expect(readFileSync(file).equals(writeZip(members))).toBe(true);
});
