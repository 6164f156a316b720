/** White space, byte order marks and the zero bytes of UTF-16. */
const BLANK_BYTES: ReadonlySet<number> = new Set([0, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xbb, 0xbf, 0xef, 0xfe, 0xff]);
const LESS_THAN = 0x3c;

/** Whether a part begins like XML, independent of its name; null while all bytes are blank. */
export function startsAsXml(bytes: Uint8Array): boolean | null {
  const first = bytes.find((byte) => !BLANK_BYTES.has(byte));
  return first === undefined ? null : first === LESS_THAN;
}
