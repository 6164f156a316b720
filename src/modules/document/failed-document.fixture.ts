import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { passwordPdf } from '#modules/conversion/encrypted-pdf.fixture.ts';
import type { Context } from '#platform/server/context.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { addDocument, createCategoryChain } from './document.fixture.ts';

export const FILE_PASSWORD = 'correct-horse-7f3b';

/** A unique file unless the text is given. */
export const makePasswordPdf = (text: string = crypto.randomUUID()) => passwordPdf(FILE_PASSWORD, text);

/** Contains only the parts of an encrypted OpenDocument file that the container check reads. */
export const makeEncryptedOdt = (): Buffer =>
  writeZip([
    { name: 'mimetype', body: 'application/vnd.oasis.opendocument.text', isStored: true },
    {
      name: 'META-INF/manifest.xml',
      body: `<manifest:manifest><manifest:encryption-data id="${crypto.randomUUID()}"/></manifest:manifest>`,
    },
    { name: 'content.xml', body: 'encrypted bytes' },
  ]);

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
