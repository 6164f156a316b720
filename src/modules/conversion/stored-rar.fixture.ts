import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1');
/** Types of headers, and the flag of a header with data behind it. */
const [MAIN_HEADER, FILE_HEADER, END_HEADER, HAS_DATA] = [1, 2, 5, 2];
const HAS_CHECKSUM = 4;
const UNIX = 1;

/** A number with 7 bits in each byte, the lowest first. */
function variableInteger(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.from(bytes);
}

function rarHeader(fields: (number | Buffer)[]): Buffer {
  const body = Buffer.concat(fields.map((field) => (typeof field === 'number' ? variableInteger(field) : field)));
  const sizeAndBody = Buffer.concat([variableInteger(body.length), body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(sizeAndBody));
  return Buffer.concat([checksum, sizeAndBody]);
}

/** Builds a RAR 5 archive without compression. No free program writes RAR. */
export function storedRar(members: { name: string; body: Buffer }[]): Buffer {
  const files = members.flatMap(({ name, body }) => {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32(body));
    const nameBytes = Buffer.from(name);
    const attributes = 0o100644;
    const noCompression = 0;
    return [
      rarHeader([
        ...[FILE_HEADER, HAS_DATA, body.length, HAS_CHECKSUM, body.length, attributes],
        checksum,
        ...[noCompression, UNIX, nameBytes.length],
        nameBytes,
      ]),
      body,
    ];
  });
  return Buffer.concat([SIGNATURE, rarHeader([MAIN_HEADER, 0, 0]), ...files, rarHeader([END_HEADER, 0, 0])]);
}
