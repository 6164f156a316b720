import { createHash } from 'node:crypto';
import { assemblePdf, rc4 } from './document-files.fixture.ts';

/** Padding string of ISO 32000-1, 7.6.3.3. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const KEY_BYTES = 5;
const PERMISSIONS = -4;
const STREAM_OBJECT = 4;

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const padPassword = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
const pdfHexString = (bytes: Buffer) => `<${bytes.toString('hex')}>`;

/** Builds a page with a line of Latin text, encrypted with RC4 (revision 2). */
export function passwordPdf(password: string, text: string): Buffer {
  const id = Buffer.alloc(16, 1);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const owner = rc4(md5(padPassword(password)).subarray(0, KEY_BYTES), padPassword(password));
  const key = md5(padPassword(password), owner, permissions, id).subarray(0, KEY_BYTES);
  const user = rc4(key, PADDING);
  const objectNumber = Buffer.from([STREAM_OBJECT, 0, 0, 0, 0]);
  const streamKey = md5(key, objectNumber).subarray(0, KEY_BYTES + 5);
  const stream = rc4(streamKey, Buffer.from(`BT /F1 24 Tf 60 760 Td (${text}) Tj ET`));
  return assemblePdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [5 0 R] >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Length ${stream.length} >>\nstream\n${stream.toString('latin1')}\nendstream`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    ],
    `/ID [${pdfHexString(id)} ${pdfHexString(id)}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${pdfHexString(owner)} /U ${pdfHexString(user)} /P ${PERMISSIONS} >>`,
  );
}
