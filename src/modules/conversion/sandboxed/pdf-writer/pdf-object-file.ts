import { closeSync, openSync, writeSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { RejectedFileError } from '../rejection-reasons.ts';

/** The sandbox ends a program that writes a file of a gigabyte. */
const MAX_FILE_BYTES = 1_000_000_000;
const DEFLATE_LEVEL = 6;
/** The four bytes above 127 mark the file as binary. */
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');

export type PdfObjectFile = ReturnType<typeof openPdfObjectFile>;

/** The syntax of a PDF file: objects are written immediately, only their positions stay in memory. */
export function openPdfObjectFile(file: string) {
  const descriptor = openSync(file, 'w');
  /** Position of each object; the number of an object is its index plus one. */
  const positions: (number | null)[] = [];
  let length = 0;
  const write = (bytes: Buffer) => {
    if (length + bytes.length > MAX_FILE_BYTES) throw new RejectedFileError('tooLarge', 'the PDF');
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    length += bytes.length;
  };
  const begin = (object: number) => {
    positions[object - 1] = length;
    write(Buffer.from(`${object} 0 obj\n`));
  };
  /** The number of an object that is written later. */
  const reserve = () => positions.push(null);
  return {
    open: () => write(HEADER),
    reserve,
    /** Writes an object, by default a new one, and returns its number. */
    writeObject(body: string, object = reserve()): number {
      begin(object);
      write(Buffer.from(`${body}\nendobj\n`));
      return object;
    },
    /** Writes a stream as it is; `dictionary` holds its entries except the length. */
    writeStream(dictionary: string, bytes: Buffer): number {
      const object = reserve();
      begin(object);
      write(Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`));
      write(bytes);
      write(Buffer.from('\nendstream\nendobj\n'));
      return object;
    },
    writeCompressedStream(dictionary: string, bytes: Buffer): number {
      return this.writeStream(`${dictionary} /Filter /FlateDecode`, deflateSync(bytes, { level: DEFLATE_LEVEL }));
    },
    writeTrailer(entries: string): void {
      const start = length;
      const rows = positions.map((position, index) => {
        if (position === null) throw new Error(`the PDF object ${index + 1} was not written`);
        return `${String(position).padStart(10, '0')} 00000 n \n`;
      });
      write(Buffer.from(`xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`));
      write(Buffer.from(`trailer\n<< /Size ${rows.length + 1} ${entries} >>\nstartxref\n${start}\n%%EOF\n`));
    },
    close: () => closeSync(descriptor),
  };
}

export const pdfReference = (object: number): string => `${object} 0 R`;

/** Numbers of PDF have no exponent. */
export const pdfNumber = (value: number): string => String(Number((Number.isFinite(value) ? value : 0).toFixed(4)));

/** A text string, as in titles. */
export const pdfTextString = (text: string): string =>
  `<feff${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex')}>`;
