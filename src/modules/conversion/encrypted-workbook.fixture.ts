import { createHash } from 'node:crypto';
import XLSX from '@e965/xlsx';
import { cryptoApiKey, cryptoApiParameters, uint32 } from './crypto-api.fixture.ts';
import { rc4 } from './document-files.fixture.ts';

const BOUND_SHEET = 0x85;
const FILE_PASS = 0x2f;
const BLOCK_BYTES = 1024;
/** Record types that are not encrypted. */
const unencryptedRecords = [0x0809, FILE_PASS, 0x00e1];

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);

const salt = Buffer.alloc(16, 3);
const verifier = Buffer.alloc(16, 9);

type Encryption = {
  filePass: Buffer;
  /** Encrypts a byte at an offset in the stream; `recordBytes` is the length of its record. */
  encryptByte(byte: number, offset: number, recordBytes: number): number;
};

/** Encrypts an xls with RC4 like Excel 97. */
export const encryptWorkbookWithRc4 = (bytes: Buffer, password: string): Buffer =>
  encryptWorkbook(bytes, {
    filePass: Buffer.concat([
      uint16(1, 1, 1),
      salt,
      rc4(rc4Key(password, 0), Buffer.concat([verifier, md5(verifier)])),
    ]),
    encryptByte: blockCipher((block) => rc4Key(password, block)),
  });

/** Key of a block of 1024 bytes; MS-OFFCRYPTO 2.3.6.2. */
function rc4Key(password: string, block: number): Buffer {
  const start = md5(Buffer.from(password, 'utf16le')).subarray(0, 5);
  const mixedHash = md5(...Array.from({ length: 16 }, () => Buffer.concat([start, salt])));
  return md5(mixedHash.subarray(0, 5), uint32(block));
}

/** Encrypts an xls with RC4 CryptoAPI like Excel 2003. */
export const encryptWorkbookWithCryptoApi = (bytes: Buffer, password: string): Buffer =>
  encryptWorkbook(bytes, {
    filePass: Buffer.concat([
      uint16(1, 4, 2),
      cryptoApiParameters(password, 'Microsoft Enhanced Cryptographic Provider v1.0'),
    ]),
    encryptByte: blockCipher((block) => cryptoApiKey(password, block)),
  });

function blockCipher(keyOfBlock: (block: number) => Buffer): Encryption['encryptByte'] {
  const streams: Buffer[] = [];
  return (byte, offset) => {
    const block = Math.floor(offset / BLOCK_BYTES);
    streams[block] ??= rc4(keyOfBlock(block), Buffer.alloc(BLOCK_BYTES));
    return byte ^ (streams[block]?.[offset % BLOCK_BYTES] ?? 0);
  };
}

/** Key, password verifier and XOR array of the password VelvetSweatshop; MS-OFFCRYPTO 2.3.7.1 and 2.3.7.2. */
const DEFAULT_PASSWORD_KEY = 0xb359;
const DEFAULT_PASSWORD_VERIFIER = 0x9a0a;
const defaultPasswordXorArray = Buffer.from('876b9ae21ee305621e699660986e9404', 'hex');

/** Obfuscates an xls like Excel 95, with the default password of Excel; MS-OFFCRYPTO 2.3.7.3. */
export const obfuscateWorkbook = (bytes: Buffer): Buffer =>
  encryptWorkbook(bytes, {
    filePass: uint16(0, DEFAULT_PASSWORD_KEY, DEFAULT_PASSWORD_VERIFIER),
    encryptByte(byte, offset, recordBytes) {
      const rotatedByte = ((byte << 5) | (byte >> 3)) & 0xff;
      return rotatedByte ^ (defaultPasswordXorArray[(offset + recordBytes) % 16] ?? 0);
    },
  });

function encryptWorkbook(bytes: Buffer, encryption: Encryption): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const stream = XLSX.CFB.find(container, '/Workbook');
  stream.content = encryptStream(Buffer.from(stream.content), encryption);
  stream.size = stream.content.length;
  return XLSX.CFB.write(container, { type: 'buffer' });
}

function encryptStream(plainBytes: Buffer, { filePass, encryptByte }: Encryption): Buffer {
  const filePassRecord = Buffer.concat([uint16(FILE_PASS, filePass.length), filePass]);
  const afterBof = 4 + plainBytes.readUInt16LE(2);
  const book = Buffer.concat([plainBytes.subarray(0, afterBof), filePassRecord, plainBytes.subarray(afterBof)]);
  for (let at = 0, next = 0; at + 4 <= book.length; at = next) {
    const type = book.readUInt16LE(at);
    const recordBytes = book.readUInt16LE(at + 2);
    next = at + 4 + recordBytes;
    if (unencryptedRecords.includes(type)) continue;
    // The sheet offset is not encrypted; the added record has shifted it.
    const from = type === BOUND_SHEET ? at + 8 : at + 4;
    if (type === BOUND_SHEET) book.writeUInt32LE(book.readUInt32LE(at + 4) + filePassRecord.length, at + 4);
    for (let offset = from; offset < next; offset++) book[offset] = encryptByte(book[offset] ?? 0, offset, recordBytes);
  }
  return book;
}
