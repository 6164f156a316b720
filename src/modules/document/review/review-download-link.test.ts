import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addDocument, createCategoryChain, newUploader, pdfOf } from '../document.fixture.ts';

const { app, ctx, as, clock } = await testApp();
const category_id = await createCategoryChain(ctx);
const reviewer = await as.userWith(['DocumentAPI/DownloadDocumentToBeReviewed']);
const reviewedUploader = await newUploader(ctx, { enable_document_review: true });
const link = (id: number) => app.inject({ url: `/api/v1/document/download/bereviewed?id=${id}`, headers: reviewer });

test('a reviewer downloads the original of a document under review with a short-lived signed link', async () => {
  const bytes = pdfOf();
  const { id } = await addDocument(ctx, reviewedUploader, { category_id, title: '待审 文稿', bytes });
  const { url } = (await link(id)).json();
  const answer = await app.inject({ url });
  expect(answer.rawPayload).toEqual(bytes);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(
      `^attachment; .*filename\\*=UTF-8''${encodeURIComponent('待审 文稿.pdf')}$`,
    ),
    'cache-control': 'private, no-store',
    // The file is unreviewed: it must not be able to run scripts on this site.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const otherDocument = await addDocument(ctx, reviewedUploader, { category_id });
  const forgedResponse = await app.inject({ url: url.replace(`/${id}?`, `/${otherDocument.id}?`) });
  expect(forgedResponse.statusCode).toBe(403);
  expect((await app.inject({ url: url.replace(/e=\d+/, 'e=99999999999') })).statusCode).toBe(403);
  clock.now = new Date(clock.now.getTime() + 61_000);
  expect((await app.inject({ url })).statusCode).toBe(403);
});

test('a review download returns 404 for published and deleted documents', async () => {
  const { id } = await addDocument(ctx, await newUploader(ctx), { category_id });
  expect((await link(id)).json().code).toBe('document.notFound');
  const { id: deletedId } = await addDocument(ctx, reviewedUploader, { category_id });
  const { url } = (await link(deletedId)).json();
  await app.inject({
    method: 'DELETE',
    url: `/api/v1/document?id=${deletedId}`,
    headers: reviewedUploader.headers,
  });
  expect((await app.inject({ url })).statusCode).toBe(404);
});
