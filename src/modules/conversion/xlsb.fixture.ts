import XLSX from '@e965/xlsx';
import { readXlsbRecords } from './sandboxed/sheet/xlsb-records.ts';

type EncodedRecord = { type: number; bytes: Buffer };

/** Rewrites the records of a part of a binary workbook. */
export function rewriteXlsbPart(book: Buffer, part: string, rewrite: (record: EncodedRecord) => Buffer): Buffer {
  const container = XLSX.CFB.read(book, { type: 'buffer' });
  const entry = XLSX.CFB.find(container, part);
  const content = Buffer.from(entry.content);
  let start = 0;
  const records: Buffer[] = [];
  for (const { type, end } of readXlsbRecords(content)) {
    records.push(rewrite({ type, bytes: content.subarray(start, end) }));
    start = end;
  }
  entry.content = Buffer.concat(records);
  entry.size = entry.content.length;
  return XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' });
}

/** Adds a drawing to the first sheet of a binary workbook. */
export function withXlsbDrawing(book: Buffer, drawing: string): Buffer {
  const container = XLSX.CFB.read(book, { type: 'buffer' });
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing';
  const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${type}" Target="../drawings/drawing1.xml"/></Relationships>`;
  XLSX.CFB.utils.cfb_add(container, '/xl/worksheets/_rels/sheet1.bin.rels', Buffer.from(relations));
  XLSX.CFB.utils.cfb_add(container, '/xl/drawings/drawing1.xml', Buffer.from(drawing));
  return XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' });
}
