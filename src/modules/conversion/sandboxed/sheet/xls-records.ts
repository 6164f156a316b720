import XLSX from '@e965/xlsx';

/** Record numbers of the Excel 97 format. */
export const BOUND_SHEET_RECORD = 0x85;
export const BEGIN_RECORD = 0x809;
export const END_RECORD = 0x0a;

export function readXlsStream(bytes: Buffer): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const entry = XLSX.CFB.find(container, '/Workbook') ?? XLSX.CFB.find(container, '/Book');
  return Buffer.from(entry?.content ?? []);
}

export function* readRecords(book: Buffer, from: number): Generator<{ type: number; body: Buffer }> {
  for (let at = from; at + 4 <= book.length; ) {
    const end = at + 4 + book.readUInt16LE(at + 2);
    yield { type: book.readUInt16LE(at), body: book.subarray(at + 4, end) };
    at = end;
  }
}
