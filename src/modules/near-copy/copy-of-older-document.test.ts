import { beforeAll, describe, expect, test } from 'vitest';
import { documentStatus } from '#modules/document/document.contract.ts';
import { changeDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { isCopyOfOlderDocument } from './list-near-copies.ts';
import { addDocumentWithText, makeText } from './near-copy.fixture.ts';
import { sketchRemainingFiles } from './sketch-documents.ts';

const { app, ctx } = await testApp();
const [uploader, otherUploader] = [await newUploader(ctx), await newUploader(ctx)];
const category_id = await createCategoryChain(ctx);
const text = makeText(1_000, 1);

/** Adds a document whose text is compared, as after the conversion. */
async function add(owner: typeof uploader, content: string) {
  const { id, renditionId } = await addDocumentWithText(ctx, owner, content, { category_id });
  await sketchRemainingFiles.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  return { id, rendition_id: renditionId };
}

let olderId: number;
let copy: { id: number; rendition_id: number };
beforeAll(async () => {
  olderId = (await add(otherUploader, text)).id;
  copy = await add(uploader, `${text}。`);
});
const isCopy = () => isCopyOfOlderDocument(ctx, copy);

describe('an upload with the text of an older document', () => {
  test('is a copy while the older one is public, also while that is converted again', async () => {
    expect(await isCopy()).toBe(true);
    await changeDocument(ctx, olderId, { status: documentStatus.reconverting });
    expect(await isCopy()).toBe(true);
    await changeDocument(ctx, olderId, { status: documentStatus.converted });
  });

  test.each([
    ['for members only', { visibility: 1 }, { visibility: 0 }],
    ['private', { visibility: 2 }, { visibility: 0 }],
    ['under review', { status: documentStatus.underReview }, { status: documentStatus.converted }],
    ['refused', { status: documentStatus.refused }, { status: documentStatus.converted }],
    ['disabled', { status: documentStatus.disabled }, { status: documentStatus.converted }],
  ] as const)('is no copy while the older one is %s', async (_, change, reset) => {
    await changeDocument(ctx, olderId, change);
    expect(await isCopy()).toBe(false);
    await changeDocument(ctx, olderId, reset);
    expect(await isCopy()).toBe(true);
  });

  test('is no copy of a document that its owner deleted', async () => {
    const older = await add(uploader, makeText(1_000, 2));
    const later = await add(uploader, makeText(1_000, 2));
    expect(await isCopyOfOlderDocument(ctx, later)).toBe(true);
    const { headers } = uploader;
    await app.inject({ method: 'DELETE', url: `/api/v1/document?id=${older.id}`, headers });
    expect(await isCopyOfOlderDocument(ctx, later)).toBe(false);
  });

  test('does not make the older one a copy', async () => {
    const older = { id: olderId, rendition_id: (await add(uploader, text)).rendition_id };
    expect(await isCopyOfOlderDocument(ctx, older)).toBe(false);
  });
});
