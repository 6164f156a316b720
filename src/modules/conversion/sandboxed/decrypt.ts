import { readFileSync, writeFileSync } from 'node:fs';
import officeCrypto from 'officecrypto-tool';
import { decryptOpenDocument } from './decrypt-open-document.ts';
import { decryptPdf } from './decrypt-pdf.ts';
import { decryptXorWorkbook } from './decrypt-xor-workbook.ts';
import { RejectedFileError } from './rejection-reasons.ts';

const OPEN_DOCUMENT_FORMATS = ['odt', 'odp', 'ods'];

type DecryptTask = { file: string; folder: string; format: string };

/** Writes a copy of a document that opens without its password. */
export async function decryptDocument({ file, folder, format }: DecryptTask, password: string) {
  const target = `${folder}/decrypted`;
  if (format === 'pdf') await decryptPdf(file, target, password);
  else if (OPEN_DOCUMENT_FORMATS.includes(format)) await decryptOpenDocument(file, target, password);
  else writeFileSync(target, await decryptOffice(readFileSync(file), password));
}

async function decryptOffice(bytes: Buffer, password: string): Promise<Buffer> {
  const workbook = decryptXorWorkbook(bytes, password);
  if (workbook) return workbook;
  const copy = await officeCrypto.decrypt(bytes, { password }).catch((error: unknown) => {
    // The library has no error classes. Any other failure means an encryption that it does not support.
    const isWrong = String(error).includes('The password is incorrect');
    throw new RejectedFileError(isWrong ? 'wrongPassword' : 'unsupportedEncryption');
  });
  // The library returns the file unchanged when it finds no encryption that it supports.
  if (copy.equals(bytes)) throw new RejectedFileError('unsupportedEncryption');
  return copy;
}
