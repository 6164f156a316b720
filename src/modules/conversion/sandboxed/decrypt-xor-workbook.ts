import XLSX from '@e965/xlsx';
import { isCompoundFile } from '../detect/compound-file.ts';
import { RejectedFileError } from './rejection-reasons.ts';

const BIFF8 = 0x0600;
const FILE_PASS = 0x2f;
const WRITE_PROTECT = 0x86;
const BOUND_SHEET = 0x85;
/** BOF, FilePass, UsrExcl, FileLock, InterfaceHdr, RRDInfo and RRDHead are not obfuscated. */
const plainRecords = new Set([0x809, FILE_PASS, 0x194, 0x195, 0xe1, 0x196, 0x138]);
const PADDING = Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex');
const MAX_PASSWORD_BYTES = 15;

/**
 * Removes the XOR obfuscation of an xls file (MS-OFFCRYPTO 2.3.7). Returns null for any other encryption. The library
 * for the others takes quadratic time for this one: minutes for a megabyte.
 */
export function decryptXorWorkbook(bytes: Buffer, password: string): Buffer | null {
  if (!isCompoundFile(bytes)) return null;
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const stream = XLSX.CFB.find(container, '/Workbook') ?? XLSX.CFB.find(container, '/Book');
  if (!stream) return null;
  const book = Buffer.from(stream.content);
  const filePass = findXorFilePass(book);
  if (!filePass) return null;
  const passwordBytes = Buffer.from(password, 'latin1');
  if (passwordBytes.length > MAX_PASSWORD_BYTES || passwordVerifier(passwordBytes) !== filePass.verifier)
    throw new RejectedFileError('wrongPassword');
  removeObfuscation(book, createXorArray(passwordBytes, filePass.key));
  stream.content = book;
  return XLSX.CFB.write(container, { type: 'buffer' });
}

/** Key and password verifier of an obfuscated workbook. */
function findXorFilePass(book: Buffer): { key: number; verifier: number } | null {
  if (book.length < 32) return null;
  let at = 4 + book.readUInt16LE(2);
  if (at + 14 <= book.length && book.readUInt16LE(at) === WRITE_PROTECT) at += 4 + book.readUInt16LE(at + 2);
  if (at + 10 > book.length || book.readUInt16LE(at) !== FILE_PASS) return null;
  // Older formats know no other encryption and have no field for its type.
  if (book.readUInt16LE(4) !== BIFF8) return { key: book.readUInt16LE(at + 4), verifier: book.readUInt16LE(at + 6) };
  if (book.readUInt16LE(at + 4) !== 0) return null;
  return { key: book.readUInt16LE(at + 6), verifier: book.readUInt16LE(at + 8) };
}

function passwordVerifier(password: Buffer): number {
  const bytes = [password.length, ...password].reverse();
  return bytes.reduce((verifier, byte) => ((verifier >> 14) & 1) ^ ((verifier << 1) & 0x7fff) ^ byte, 0) ^ 0xce4b;
}

/** The password and its padding, with the bytes of the key in turn. */
const createXorArray = (password: Buffer, key: number): Buffer =>
  Buffer.concat([password, PADDING])
    .subarray(0, 16)
    .map((byte, index) => {
      const mixedByte = byte ^ (index % 2 === 0 ? key & 0xff : key >> 8);
      return (mixedByte >> 1) | (mixedByte << 7);
    }) as Buffer;

function removeObfuscation(book: Buffer, xorArray: Buffer): void {
  for (let at = 0, next = 0; at + 4 <= book.length; at = next) {
    const type = book.readUInt16LE(at);
    const size = book.readUInt16LE(at + 2);
    next = at + 4 + size;
    // The workbook is no longer encrypted; readers skip a record without a type.
    if (type === FILE_PASS) book.fill(0, at, at + 2).fill(0, at + 4, next);
    if (plainRecords.has(type)) continue;
    // The offset of a sheet is not obfuscated.
    const from = type === BOUND_SHEET ? at + 8 : at + 4;
    for (let offset = from; offset < Math.min(next, book.length); offset++) {
      const mixedByte = (book[offset] ?? 0) ^ (xorArray[(offset + size) % 16] ?? 0);
      book[offset] = (mixedByte >> 5) | (mixedByte << 3);
    }
  }
}
