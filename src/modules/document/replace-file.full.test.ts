import { expect, test } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { blobPrefix } from '#modules/conversion/rendition-keys.ts';
import { testApp } from '#testing/test-app.ts';
import { newUpload, newUploader } from './document.fixture.ts';
import { addDamagedDocument, addEncryptedDocument } from './failed-document.fixture.ts';

const { app, ctx, pool } = await testApp({ runJobs: true, conversions: 'real' });

type Owner = Awaited<ReturnType<typeof newUploader>>;
async function replaceWithReadableFile(id: number, owner: Owner): Promise<void> {
  const attachment_id = await newUpload(ctx, owner.id, { bytes: makePdf({ text: () => crypto.randomUUID() }) });
  const response = await app.inject({
    method: 'PUT',
    url: '/api/v1/document/file',
    headers: owner.headers,
    payload: { id, attachment_id },
  });
  expect(response.statusCode).toBe(200);
}
const rowOf = async (id: number) =>
  (
    await pool.query(
      `select status, rendition_id::int, title, hash from documents
       join attachments on attachments.type = 2 and type_id = documents.id where documents.id = $1`,
      [id],
    )
  ).rows[0];

test('replacing the file of an encrypted document makes it readable under its old title', async () => {
  const owner = await newUploader(ctx);
  const id = await addEncryptedDocument(ctx, owner, { title: '年度报告' });
  await replaceWithReadableFile(id, owner);
  const { rendition_id, hash } = await rowOf(id);
  expect(await waitForRendition(ctx, rendition_id)).toMatchObject({ state: 'ready' });
  expect(await rowOf(id)).toMatchObject({ status: 2, title: '年度报告' });
  const files = await Array.fromAsync(ctx.storage.list(blobPrefix(hash)));
  expect(files.length).toBeGreaterThan(1);
});

test('a damaged file under review is converted after it was replaced, and the document stays under review', async () => {
  const owner = await newUploader(ctx, { enable_document_review: true });
  const id = await addDamagedDocument(ctx, owner);
  await replaceWithReadableFile(id, owner);
  const { rendition_id } = await rowOf(id);
  expect(await waitForRendition(ctx, rendition_id)).toMatchObject({ state: 'ready' });
  expect(await rowOf(id)).toMatchObject({ status: 6 });
});
