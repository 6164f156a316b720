import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { passwordPdf } from '#modules/conversion/encrypted-pdf.fixture.ts';
import type { Context } from '#platform/server/context.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { addDocument, createCategoryChain } from './document.fixture.ts';

const ZIP_ENCRYPTED_FLAG = 1;
export const FILE_PASSWORD = 'correct-horse-7f3b';

/** A unique file unless the text is given. */
export const makePasswordPdf = (text: string = crypto.randomUUID()) => passwordPdf(FILE_PASSWORD, text);

/** Contains only what the container check reads: one part is marked as encrypted. */
export function makeEncryptedEpub(): Buffer {
  const file = writeZip([
    { name: 'mimetype', body: 'application/epub+zip', isStored: true },
    { name: 'META-INF/container.xml', body: `<container id="${crypto.randomUUID()}"/>` },
  ]);
  const lastDirectoryRecord = file.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  file.writeUInt16LE(file.readUInt16LE(lastDirectoryRecord + 8) | ZIP_ENCRYPTED_FLAG, lastDirectoryRecord + 8);
  return file;
}

type Owner = { id: number };
type Fields = { bytes?: Buffer; ext?: string; price?: number; title?: string };

/** Adds a document of an encrypted file and waits until its conversion has failed for that reason. */
export const addEncryptedDocument = (ctx: Context, owner: Owner, fields: Fields = {}) =>
  addFailedDocument(ctx, owner, '文档已加密', { bytes: makePasswordPdf(), ...fields });

/** Adds a document of a damaged file and waits until its conversion has failed for that reason. */
export const addDamagedDocument = (ctx: Context, owner: Owner, fields: Fields = {}) =>
  addFailedDocument(ctx, owner, '文档已损坏，无法打开', {
    bytes: Buffer.from(`%PDF-1.7 ${crypto.randomUUID()}`),
    ...fields,
  });

async function addFailedDocument(ctx: Context, owner: Owner, reason: string, fields: Fields) {
  const document = await addDocument(ctx, owner, {
    category_id: await createCategoryChain(ctx),
    ext: '.pdf',
    ...fields,
  });
  const rendition = await waitForRendition(ctx, document.rendition_id ?? 0);
  if (rendition.reason !== reason) throw new Error(`unexpected reason: ${rendition.reason}`);
  return document.id;
}
