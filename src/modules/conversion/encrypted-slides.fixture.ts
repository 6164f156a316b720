import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import XLSX from '@e965/xlsx';
import { rc4, slidesWithHiddenParts } from './document-files.fixture.ts';

/** Builds three slides with the texts "Slide 1" to "Slide 3" in LibreOffice. */
export async function officeSlides(format: 'ppt' | 'pptx'): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-slides-'));
  try {
    await writeFile(path.join(folder, 'slides.fodp'), slidesWithHiddenParts([]));
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`;
    await promisify(execFile)(
      'soffice',
      [profile, '--headless', '--norestore', '--convert-to', format, 'slides.fodp'],
      { cwd: folder },
    );
    return await readFile(path.join(folder, `slides.${format}`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ENCRYPTED_TOKEN = 0xf3d1c4df;
const KEY_BITS = 128;
const [USER_EDIT, PERSIST_DIRECTORY, CRYPT_SESSION] = [0x0ff5, 0x1772, 0x2f14];

const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest();
const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
};
const pptRecord = (type: number, version: number, body: Buffer) =>
  Buffer.concat([uint32(type * 0x10000 + version, body.length), body]);

/** Key of a block; MS-OFFCRYPTO 2.3.5.2. */
const deriveKey = (password: string, salt: Buffer, block: number) =>
  sha1(sha1(salt, Buffer.from(password, 'utf16le')), uint32(block)).subarray(0, KEY_BITS / 8);

/** Encryption parameters and a password verifier; MS-PPT 2.3.7. */
function cryptSession(password: string, salt: Buffer): Buffer {
  const [version, cryptoApi, rc4Id, sha1Id] = [0x00020002, 4, 0x6801, 0x8004];
  const provider = Buffer.from('Provider\0', 'utf16le');
  const header = Buffer.concat([uint32(cryptoApi, 0, rc4Id, sha1Id, KEY_BITS, 1, 0, 0), provider]);
  const verifier = Buffer.alloc(16, 9);
  const proof = rc4(deriveKey(password, salt, 0), Buffer.concat([verifier, sha1(verifier)]));
  const body = Buffer.concat([
    uint32(version, cryptoApi, header.length),
    header,
    uint32(salt.length),
    salt,
    proof.subarray(0, 16),
    uint32(20),
    proof.subarray(16),
  ]);
  return pptRecord(CRYPT_SESSION, 0xf, body);
}

/** Objects of the slides in the order of their ids, which start at 1. */
function persistObjects(document: Buffer, directoryAt: number): Buffer[] {
  const objects: Buffer[] = [];
  const end = directoryAt + 8 + document.readUInt32LE(directoryAt + 4);
  for (let at = directoryAt + 8; at < end; ) {
    const entry = document.readUInt32LE(at);
    const [firstId, count] = [entry & 0xfffff, entry >>> 20];
    for (let index = 0; index < count; index++) {
      const offset = document.readUInt32LE(at + 4 + index * 4);
      const length = 8 + document.readUInt32LE(offset + 4);
      objects[firstId + index - 1] = document.subarray(offset, offset + length);
    }
    at += 4 + count * 4;
  }
  return objects;
}

/** Encrypts a ppt with RC4 like PowerPoint 2003: each object has its own key. */
export function encryptSlidesWithRc4(bytes: Buffer, password: string): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const userStream = XLSX.CFB.find(container, '/Current User');
  const slidesStream = XLSX.CFB.find(container, '/PowerPoint Document');
  const [user, document] = [Buffer.from(userStream.content), Buffer.from(slidesStream.content)];
  const editAt = user.readUInt32LE(16);
  const edit = document.subarray(editAt + 8, editAt + 8 + 28);
  const salt = Buffer.alloc(16, 3);
  const objects = [
    ...persistObjects(document, edit.readUInt32LE(12)).map((object, index) =>
      rc4(deriveKey(password, salt, index + 1), object),
    ),
    cryptSession(password, salt),
  ];
  const offsets = objects.map((_, index) => Buffer.concat(objects.slice(0, index)).length);
  const body = Buffer.concat(objects);
  const directory = pptRecord(PERSIST_DIRECTORY, 0, uint32(objects.length * 0x100000 + 1, ...offsets));
  const newEdit = Buffer.concat([edit, uint32(objects.length)]);
  newEdit.writeUInt32LE(body.length, 12);
  user.writeUInt32LE(ENCRYPTED_TOKEN, 12);
  user.writeUInt32LE(body.length + directory.length, 16);
  userStream.content = user;
  slidesStream.content = Buffer.concat([body, directory, pptRecord(USER_EDIT, 0, newEdit)]);
  slidesStream.size = slidesStream.content.length;
  return XLSX.CFB.write(container, { type: 'buffer' });
}
