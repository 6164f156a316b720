import { crc32, deflateRawSync } from 'node:zlib';

type ZipMemberSpec = {
  /** Bytes for a name in the encoding of an old Windows. */
  name: string | Buffer;
  body: string | Buffer;
  isEncrypted?: boolean;
  /** A false size in the directory. */
  declaredSize?: number;
};

const ENCRYPTED_FLAG = 1;
const UTF8_FLAG = 0x800;
const DEFLATE = 8;

/** Builds a ZIP whose names, flags and sizes may be false. */
export function makeZipArchive(members: ZipMemberSpec[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, body, isEncrypted = false, declaredSize } of members) {
    const bytes = Buffer.from(body);
    const compressedBytes = deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE((isEncrypted ? ENCRYPTED_FLAG : 0) | (typeof name === 'string' ? UTF8_FLAG : 0), 2);
    head.writeUInt16LE(DEFLATE, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(compressedBytes.length, 14);
    head.writeUInt32LE(declaredSize ?? bytes.length, 18);
    head.writeUInt16LE(nameBytes.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), head, nameBytes, compressedBytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), head, tail, nameBytes]));
    files.push(file);
    offset += file.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directoryBytes, end]);
}
