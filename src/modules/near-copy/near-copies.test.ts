import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { createUploadAwardsJob } from '#modules/document/pay-upload-awards.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember, newStaff } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { isCopyOfOlderDocument } from './list-near-copies.ts';
import { makeText } from './near-copy.fixture.ts';
import { hashPicture, haveEqualPictures, pictureKeys } from './picture-hash.ts';

const { app, ctx, as } = await testApp({ runJobs: true });
await setSetting(ctx, 'score.upload_document_limit', '100');
const publisher = await newPublisher(ctx);
const otherPublisher = await newPublisher(ctx);

const asFile = (text: string, width = 40) => Buffer.from(text.replace(new RegExp(`(.{${width}})`, 'gu'), '$1\n'));

async function listCopies(id: number, headers: { authorization?: string }) {
  const response = await app.inject({ url: `/api/v1/document/near-copies?id=${id}`, headers });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().document;
}

async function payAndReadAward(id: number): Promise<number | undefined> {
  await createUploadAwardsJob(isCopyOfOlderDocument).run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  const [row] = await ctx.db.select({ award: documents.award }).from(documents).where(eq(documents.id, id));
  return row?.award;
}

const text = makeText(3_000, 1);
const original = await publisher.publish(asFile(text), '.txt', { title: '原文' });
const copy = await otherPublisher.publish(asFile(text, 33), '.txt', { title: '抄本' });
const part = await otherPublisher.publish(asFile(text.slice(500, 1_700)), '.txt', { title: '节选' });
const different = await otherPublisher.publish(asFile(makeText(3_000, 2)), '.txt', { title: '别的' });

describe('near-copies of a document', () => {
  test('are listed for its owner with their kind, the most similar first', async () => {
    expect(await listCopies(copy, otherPublisher.headers)).toEqual([
      {
        id: copy,
        copy: [
          expect.objectContaining({ id: original, title: '原文', kind: 'equal', share: 100 }),
          expect.objectContaining({ id: part, title: '节选', kind: 'contains' }),
        ],
      },
    ]);
    expect(await listCopies(part, otherPublisher.headers)).toMatchObject([
      { copy: [{ kind: 'contained' }, { kind: 'contained' }] },
    ]);
  });

  test('are empty for a document with another text', async () => {
    expect(await listCopies(different, otherPublisher.headers)).toEqual([{ id: different, copy: [] }]);
  });

  test('are listed for document managers, and for no other member', async () => {
    expect(await listCopies(copy, await as.root())).toMatchObject([{ id: copy, copy: [{ id: original }, {}] }]);
    expect(await listCopies(copy, (await newMember(ctx)).headers)).toEqual([]);
  });

  test('leave out private documents of other users', async () => {
    await ctx.db.update(documents).set({ visibility: 2 }).where(eq(documents.id, original));
    expect(await listCopies(copy, otherPublisher.headers)).toMatchObject([{ copy: [{ id: part }] }]);
    await ctx.db.update(documents).set({ visibility: 0 }).where(eq(documents.id, original));
  });
});

describe('the upload award', () => {
  test('is paid for an original and for another text', async () => {
    expect(await payAndReadAward(original)).toBe(5);
    expect(await payAndReadAward(different)).toBe(5);
  });

  test('is not paid for a near-copy of an older document, nor for a part of it', async () => {
    expect(await payAndReadAward(copy)).toBe(0);
    expect(await payAndReadAward(part)).toBe(0);
  });
});

describe('another document of the same file', () => {
  test('is a near-copy', async () => {
    const laterId = await otherPublisher.publish(asFile(text), '.txt', { title: '同一个文件' });
    expect((await listCopies(laterId, otherPublisher.headers))[0].copy).toContainEqual(
      expect.objectContaining({ id: original, kind: 'identical', share: 100 }),
    );
  });
});

const reviewedUploader = await newUploader(ctx, { enable_document_review: true });
const reviewer = await newStaff(ctx, ['DocumentAPI/ListDocument']);

describe('a near-copy under review', () => {
  const upload = async (title: string, bytes: Buffer) => {
    const fields = { title, bytes, ext: '.txt', category_id: publisher.category_id };
    const { id, rendition_id } = await addDocument(ctx, reviewedUploader, fields);
    await waitForRendition(ctx, rendition_id ?? 0);
    return id;
  };
  let id = 0;
  beforeAll(async () => {
    id = await upload('待审的抄本', asFile(text, 27));
  });

  test('is listed for reviewers with the documents that it copies', async () => {
    const [listedCopy] = await listCopies(id, reviewer.headers);
    expect(listedCopy.copy).toContainEqual(expect.objectContaining({ id: original, kind: 'equal', share: 100 }));
    const [listedOriginal] = await listCopies(original, reviewer.headers);
    expect(listedOriginal.copy).toContainEqual(expect.objectContaining({ id, title: '待审的抄本' }));
  });

  test('is not named to the owners of the documents that it copies', async () => {
    expect(JSON.stringify(await listCopies(copy, otherPublisher.headers))).not.toContain('待审的抄本');
  });

  test('takes no award from a document that is published meanwhile', async () => {
    const otherText = makeText(3_000, 3);
    await upload('先送审的', asFile(otherText));
    const publishedId = await publisher.publish(asFile(otherText, 31), '.txt');
    expect(await payAndReadAward(publishedId)).toBe(5);
  });
});

describe('short documents with pages', () => {
  test('that look alike are no near-copies', async () => {
    const letters = await Promise.all(
      ['Invoice one is paid.', 'Invoice two is paid.'].map((line) =>
        otherPublisher.publish(makePdf({ pages: 1, text: () => `${line} Thank you very much.` }), '.pdf'),
      ),
    );
    expect(await listCopies(letters[0] ?? 0, otherPublisher.headers)).toEqual([{ id: letters[0], copy: [] }]);
  });
});

describe('the hash of a page picture', () => {
  const draw = (quality: number, words: string, width = 300) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="420"><rect width="300" height="420" fill="#fff"/>${words}</svg>`,
      ),
    )
      .resize(width)
      .jpeg({ quality })
      .toBuffer();
  const page = '<rect x="30" y="60" width="200" height="90"/><rect x="60" y="260" width="220" height="60"/>';

  test('is equal after a change of size and compression, and differs for another page', async () => {
    const hashes = await Promise.all([
      hashPicture(await draw(95, page)),
      hashPicture(await draw(40, page, 180)),
      hashPicture(await draw(95, '<circle cx="150" cy="200" r="120"/>')),
    ]);
    const [hash = 0n, copyHash = 0n, otherHash = 0n] = hashes.map((each) => each ?? undefined);
    expect(haveEqualPictures([hash], [copyHash])).toBe(true);
    expect(pictureKeys(hash).some((key) => pictureKeys(copyHash).includes(key))).toBe(true);
    expect(haveEqualPictures([hash], [otherHash])).toBe(false);
  });

  test('is null for a blank page', async () => {
    expect(await hashPicture(await draw(95, ''))).toBeNull();
    expect(haveEqualPictures([], [])).toBe(false);
  });
});
