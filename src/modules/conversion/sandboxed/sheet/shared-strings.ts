/** A cell with the number of a shared string. */
const STRING_CELL =
  /(<(?:[\w.-]+:)?c\s(?:[^<>]*\s)?t\s*=\s*["']s["'][^<>]*>\s*(?:<(?:[\w.-]+:)?f\b[^<>]*(?:\/>|>[^<]*<\/[^<>]*>)\s*)?<(?:[\w.-]+:)?v\b[^<>]*>\s*)(\d{1,9})/g;
const EMPTY_ITEM = /^<((?:[\w.-]+:)?si)\b[^<>]*\/>$/;
const ROOT = /<((?:[\w.-]+:)?)sst\b[^<>]*>/;
const ROOT_SEARCH_BYTES = 4096;

export type SharedStrings = {
  /** Renumbers the strings of the cells, and returns the markup of the cells and of the strings that they use. */
  select(rows: string): { rows: string; strings: Buffer };
};

/** Indexes the shared strings of a workbook without parsing them. */
export function indexSharedStrings(part: Buffer): SharedStrings {
  const prefix = ROOT.exec(part.toString('latin1', 0, ROOT_SEARCH_BYTES))?.[1] ?? '';
  const starts = findItems(part, `<${prefix}si`);
  const head = part.subarray(0, starts[0] ?? 0);
  const rootEnd = part.lastIndexOf(`</${prefix}sst`);
  const end = rootEnd < 0 ? part.length : rootEnd;
  const item = (number: number): Buffer => {
    const start = starts[number];
    if (start === undefined) return Buffer.from(`<${prefix}si><${prefix}t/></${prefix}si>`);
    const bytes = part.subarray(start, starts[number + 1] ?? end);
    const isEmpty = bytes.length < 64 && EMPTY_ITEM.test(bytes.toString('latin1').trim());
    return isEmpty ? item(starts.length) : bytes;
  };
  return {
    select(rows) {
      const numbers = new Map<string, number>();
      const renumberedRows = rows.replace(STRING_CELL, (_, cell: string, number: string) => {
        const position = numbers.get(number) ?? numbers.size;
        numbers.set(number, position);
        return cell + position;
      });
      const items = [...numbers.keys()].map((number) => item(Number(number)));
      return { rows: renumberedRows, strings: Buffer.concat([head, ...items, Buffer.from(`</${prefix}sst>`)]) };
    },
  };
}

/** Offsets of the elements that begin with `tag`. */
function findItems(part: Buffer, tag: string): Uint32Array {
  let offsets = new Uint32Array(65_536);
  let count = 0;
  for (let at = part.indexOf(tag); at >= 0; at = part.indexOf(tag, at + tag.length)) {
    const next = String.fromCharCode(part[at + tag.length] ?? 0);
    if (!/[\s/>]/.test(next)) continue;
    if (count === offsets.length) {
      const largerOffsets = new Uint32Array(count * 2);
      largerOffsets.set(offsets);
      offsets = largerOffsets;
    }
    offsets[count++] = at;
  }
  return offsets.subarray(0, count);
}
