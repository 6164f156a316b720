import { RejectedFileError } from '../rejection-reasons.ts';

/** The markup before the rows ends with the start tag of `sheetData`, and that after them begins with its end tag. */
export type SheetMarkup = { part: 'head' | 'rows' | 'tail'; bytes: Buffer };

export const BLOCK_BYTES = 2 * 1024 * 1024;
/** Of the markup beside the rows, and of one row. */
const MAX_PART_BYTES = 32 * 1024 * 1024;
const DATA_START = /<((?:[\w.-]+:)?)sheetData(?:\s[^<>]*)?>/;

/** Divides the markup of a worksheet between rows into pieces of about `blockBytes`. */
export async function* divideSheetMarkup(
  chunks: AsyncIterable<Buffer>,
  blockBytes: number,
): AsyncGenerator<SheetMarkup> {
  let part: SheetMarkup['part'] = 'head';
  let prefix = '';
  let unreadBytes = Buffer.alloc(0);
  for await (const block of joinChunks(chunks, blockBytes)) {
    unreadBytes = Buffer.concat([unreadBytes, block]);
    if (part === 'head') {
      const start = DATA_START.exec(unreadBytes.toString('latin1'));
      if (start) {
        const end = start.index + start[0].length;
        prefix = start[1] ?? '';
        yield { part, bytes: unreadBytes.subarray(0, end) };
        unreadBytes = unreadBytes.subarray(end);
        part = start[0].endsWith('/>') ? 'tail' : 'rows';
      }
    }
    if (part === 'rows') {
      const dataEnd = unreadBytes.indexOf(`</${prefix}sheetData`);
      const end = dataEnd < 0 ? lastRowStart(unreadBytes, prefix) : dataEnd;
      if (end > 0) yield { part, bytes: unreadBytes.subarray(0, end) };
      unreadBytes = unreadBytes.subarray(end);
      if (dataEnd >= 0) part = 'tail';
    }
    if (unreadBytes.length > MAX_PART_BYTES) throw new RejectedFileError('bomb', `${part} of a worksheet`);
  }
  if (unreadBytes.length > 0) yield { part, bytes: unreadBytes };
}

/** 0 if no row begins in the markup. */
function lastRowStart(markup: Buffer, prefix: string): number {
  const tag = `<${prefix}row`;
  for (let at = markup.lastIndexOf(tag); at > 0; at = markup.lastIndexOf(tag, at - 1))
    if (/[\s/>]/.test(String.fromCharCode(markup[at + tag.length] ?? 0))) return at;
  return 0;
}

async function* joinChunks(chunks: AsyncIterable<Buffer>, blockBytes: number): AsyncGenerator<Buffer> {
  let [block, bytes] = [[] as Buffer[], 0];
  for await (const chunk of chunks) {
    block.push(chunk);
    bytes += chunk.length;
    if (bytes < blockBytes) continue;
    yield Buffer.concat(block);
    [block, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(block);
}
