/** Record numbers of the binary workbooks of Excel ([MS-XLSB] 2.3.2). */
export const ROW_RECORD = 0;
const NUMBER_FORMAT_RECORD = 0x2c;
export const COLUMN_RECORD = 0x3c;
export const BUNDLE_SHEET_RECORD = 0x9c;
export const SHEET_FORMAT_RECORD = 0x1e5;

const MAX_TYPE_BYTES = 2;
const MAX_LENGTH_BYTES = 4;

type XlsbRecord = { type: number; body: Buffer; end: number };

/** Records of a part. A number ends with the first byte below 128. */
export function* readXlsbRecords(part: Buffer): Generator<XlsbRecord> {
  for (let at = 0; at < part.length; ) {
    const type = readNumber(part, at, MAX_TYPE_BYTES);
    const length = readNumber(part, at + type.bytes, MAX_LENGTH_BYTES);
    const start = at + type.bytes + length.bytes;
    const end = start + length.value;
    if (end > part.length) return;
    yield { type: type.value, body: part.subarray(start, end), end };
    at = end;
  }
}

function readNumber(part: Buffer, at: number, maxBytes: number): { value: number; bytes: number } {
  let value = 0;
  for (let index = 0; index < maxBytes; index++) {
    const byte = part[at + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, bytes: index + 1 };
  }
  return { value, bytes: maxBytes };
}

/** Reads a text with its length; null for one that is missing or not complete. */
export function readWideString(body: Buffer, at: number): { text: string; end: number } | null {
  if (at + 4 > body.length) return null;
  const start = at + 4;
  const end = start + body.readUInt32LE(at) * 2;
  return end > body.length ? null : { text: body.toString('utf16le', start, end), end };
}

/** A record that declares a number format, for codes of less than 60 characters. */
export function numberFormatRecord(id: number, code: string): Buffer {
  const text = Buffer.from(code, 'utf16le');
  const body = Buffer.alloc(6 + text.length);
  body.writeUInt16LE(id, 0);
  body.writeUInt32LE(code.length, 2);
  text.copy(body, 6);
  return Buffer.concat([Buffer.from([NUMBER_FORMAT_RECORD, body.length]), body]);
}
