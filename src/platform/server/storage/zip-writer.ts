import { crc32, deflateRawSync } from 'node:zlib';

export type ZipMember = {
  name: string;
  body: string | Buffer;
  /** Not compressed, as some formats require for their first member. */
  isStored?: boolean;
};

const UTF8_NAMES = 0x0800;
const DEFLATE_METHOD = 8;

/** Packs members one after the other: `add` returns the bytes of a member, `end` those after the last one. */
export function createZipPacker() {
  const directory: Buffer[] = [];
  let [count, offset] = [0, 0];
  return {
    add({ name, body, isStored = false }: ZipMember): Buffer {
      const bytes = Buffer.from(body);
      const packedBytes = isStored ? bytes : deflateRawSync(bytes);
      const path = Buffer.from(name);
      const common = Buffer.alloc(26);
      common.writeUInt16LE(20, 0);
      common.writeUInt16LE(UTF8_NAMES, 2);
      common.writeUInt16LE(isStored ? 0 : DEFLATE_METHOD, 4);
      // A fixed date, 1 January 1980: equal contents give equal archives.
      common.writeUInt16LE(0x21, 8);
      common.writeUInt32LE(crc32(bytes), 10);
      common.writeUInt32LE(packedBytes.length, 14);
      common.writeUInt32LE(bytes.length, 18);
      common.writeUInt16LE(path.length, 22);
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(offset, 10);
      directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, path);
      const member = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, packedBytes]);
      count++;
      offset += member.length;
      return member;
    },
    end(): Buffer {
      const centralDirectory = Buffer.concat(directory);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      end.writeUInt16LE(count, 8);
      end.writeUInt16LE(count, 10);
      end.writeUInt32LE(centralDirectory.length, 12);
      end.writeUInt32LE(offset, 16);
      return Buffer.concat([centralDirectory, end]);
    },
  };
}

/** Creates a ZIP archive in memory. */
export function writeZip(members: ZipMember[]): Buffer {
  const packer = createZipPacker();
  return Buffer.concat([...members.map(packer.add), packer.end()]);
}
