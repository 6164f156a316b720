/** Tags of DER. */
const OCTET_STRING = 0x04;
const INTEGER = 0x02;
const STRING_TAGS: ReadonlySet<number> = new Set([0x0c, 0x13, 0x16, 0x1a, 0x1b]);
const CONSTRUCTED_BIT = 0x20;
const MAX_DEPTH = 16;
const MAX_ELEMENTS = 10_000;
const MAX_TYPE_LENGTH = 16;

type DerElement = { tag: number; start: number; end: number };

/** `type` is the name of the format in lower case, e.g. "png" or "ofd". */
export type SealPicture = { type: string; bytes: Buffer };

/**
 * Finds the picture in an electronic seal of GB/T 38540 or GM/T 0031, or in a signature that contains one: a sequence of
 * the format, the bytes, and the size in millimetres. Null without one.
 */
export function findSealPicture(der: Buffer): SealPicture | null {
  let count = 0;
  const search = (start: number, end: number, depth: number): SealPicture | null => {
    const elements = readElements(der, start, end);
    count += elements.length;
    if (count > MAX_ELEMENTS || depth > MAX_DEPTH) return null;
    const picture = readPicture(der, elements);
    if (picture) return picture;
    for (const element of elements) {
      const nestedPicture = element.tag & CONSTRUCTED_BIT ? search(element.start, element.end, depth + 1) : null;
      if (nestedPicture) return nestedPicture;
    }
    return null;
  };
  return search(0, der.length, 0);
}

function readPicture(der: Buffer, [type, data, width, height]: DerElement[]): SealPicture | null {
  if (!type || !data || width?.tag !== INTEGER || height?.tag !== INTEGER) return null;
  if (!STRING_TAGS.has(type.tag) || data.tag !== OCTET_STRING) return null;
  const name = der.toString('latin1', type.start, Math.min(type.end, type.start + MAX_TYPE_LENGTH));
  return { type: name.toLowerCase(), bytes: der.subarray(data.start, data.end) };
}

/** The elements between two positions; stops at data that is not DER. */
function readElements(der: Buffer, start: number, end: number): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = start; at + 2 <= end && elements.length < MAX_ELEMENTS; ) {
    const tag = der[at] ?? 0;
    const first = der[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    // Tags of several bytes and indefinite lengths are not used here.
    if ((tag & 0x1f) === 0x1f || first === 0x80 || lengthBytes > 4 || at + 2 + lengthBytes > end) break;
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    const dataStart = at + 2 + lengthBytes;
    if (dataStart + length > end) break;
    elements.push({ tag, start: dataStart, end: dataStart + length });
    at = dataStart + length;
  }
  return elements;
}
