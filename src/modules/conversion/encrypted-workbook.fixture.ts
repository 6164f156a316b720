import { createHash } from 'node:crypto';
import XLSX from '@e965/xlsx';
import { rc4 } from './document-files.fixture.ts';

const BOUND_SHEET = 0x85;
const FILE_PASS = 0x2f;
const FILE_PASS_BYTES = 58;
const BLOCK_BYTES = 1024;
/** Record types that are not encrypted. */
const unencryptedRecords = [0x0809, FILE_PASS, 0x00e1];

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** Key of a block of 1024 bytes; MS-OFFCRYPTO 2.3.6.2. */
function deriveKey(password: string, salt: Buffer, block: number): Buffer {
  const start = md5(Buffer.from(password, 'utf16le')).subarray(0, 5);
  const mixedHash = md5(...Array.from({ length: 16 }, () => Buffer.concat([start, salt])));
  const number = Buffer.alloc(4);
  number.writeUInt32LE(block);
  return md5(mixedHash.subarray(0, 5), number);
}

/** Encrypts an xls with RC4 like Excel 97. */
export function encryptWorkbookWithRc4(bytes: Buffer, password: string): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const stream = XLSX.CFB.find(container, '/Workbook');
  stream.content = encryptStream(Buffer.from(stream.content), password);
  stream.size = stream.content.length;
  return XLSX.CFB.write(container, { type: 'buffer' });
}

function encryptStream(plainBytes: Buffer, password: string): Buffer {
  const salt = Buffer.alloc(16, 3);
  const verifier = Buffer.alloc(16, 9);
  const filePassRecord = Buffer.alloc(FILE_PASS_BYTES);
  filePassRecord.writeUInt16LE(FILE_PASS, 0);
  filePassRecord.writeUInt16LE(FILE_PASS_BYTES - 4, 2);
  filePassRecord.writeUInt16LE(1, 4);
  filePassRecord.writeUInt16LE(1, 6);
  filePassRecord.writeUInt16LE(1, 8);
  salt.copy(filePassRecord, 10);
  rc4(deriveKey(password, salt, 0), Buffer.concat([verifier, md5(verifier)])).copy(filePassRecord, 26);
  const afterBof = 4 + plainBytes.readUInt16LE(2);
  const book = Buffer.concat([plainBytes.subarray(0, afterBof), filePassRecord, plainBytes.subarray(afterBof)]);
  const blocks = Math.ceil(book.length / BLOCK_BYTES);
  const stream = Buffer.concat(
    Array.from({ length: blocks }, (_, block) => rc4(deriveKey(password, salt, block), Buffer.alloc(BLOCK_BYTES))),
  );
  const encryptRange = (from: number, to: number) => {
    for (let at = from; at < to; at++) book[at] = (book[at] ?? 0) ^ (stream[at] ?? 0);
  };
  for (let at = 0, next = 0; at + 4 <= book.length; at = next) {
    const type = book.readUInt16LE(at);
    next = at + 4 + book.readUInt16LE(at + 2);
    if (type === BOUND_SHEET) {
      // The sheet offset is not encrypted; the added record has shifted it.
      book.writeUInt32LE(book.readUInt32LE(at + 4) + FILE_PASS_BYTES, at + 4);
      encryptRange(at + 8, next);
    } else if (!unencryptedRecords.includes(type)) encryptRange(at + 4, next);
  }
  return book;
}
