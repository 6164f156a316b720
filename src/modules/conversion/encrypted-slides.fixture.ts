import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import XLSX from '@e965/xlsx';
import { cryptoApiKey, cryptoApiParameters, uint32 } from './crypto-api.fixture.ts';
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
const [USER_EDIT, PERSIST_DIRECTORY, CRYPT_SESSION] = [0x0ff5, 0x1772, 0x2f14];

const pptRecord = (type: number, version: number, body: Buffer) =>
  Buffer.concat([uint32(type * 0x10000 + version, body.length), body]);

/** Encryption parameters and a password verifier; MS-PPT 2.3.7. */
function cryptSession(password: string): Buffer {
  const version = 0x00020002;
  return pptRecord(CRYPT_SESSION, 0xf, Buffer.concat([uint32(version), cryptoApiParameters(password, 'Provider')]));
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
  const objects = [
    ...persistObjects(document, edit.readUInt32LE(12)).map((object, index) =>
      rc4(cryptoApiKey(password, index + 1), object),
    ),
    cryptSession(password),
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
