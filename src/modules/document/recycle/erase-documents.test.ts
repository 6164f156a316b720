import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { deleteUnusedAttachments } from '#modules/attachment/delete-unused-attachments.ts';
import { blobPrefix, originalKey, renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { blockFileErasure } from '#platform/server/storage/erase-lock.ts';
import { testApp } from '#testing/test-app.ts';
import {
  addDocument,
  createCategoryChain,
  newUpload,
  newUploader,
  pdfOf,
  setConversionState,
} from '../document.fixture.ts';
import { eraseExpiredDocuments } from './erase-documents.ts';
import { eraseExpiredFiles } from './erase-expired-files.ts';

const { app, ctx, as, pool, clock } = await testApp();
type Headers = { authorization?: string };

const category_id = await createCategoryChain(ctx);
const advanceMinutes = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000);
};
const remove = async (path: string, ids: number[], headers?: Headers) =>
  app.inject({
    method: 'DELETE',
    url: `/api/v1${path}?${ids.map((id) => `id=${id}`).join('&')}`,
    headers: headers ?? (await as.root()),
  });
const hashOf = async (id: number): Promise<string> =>
  (await pool.query('select hash from attachments where type = 2 and type_id = $1', [id])).rows[0].hash;
const storedUnder = async (hash: string) => (await Array.fromAsync(ctx.storage.list(blobPrefix(hash)))).length;
const rowsOf = async (hash: string) => {
  const count = async (table: string) =>
    (await pool.query(`select count(*)::int as n from ${table} where hash = $1`, [hash])).rows[0].n;
  return {
    renditions: await count('renditions'),
    attachments: await count('attachments'),
    removed: await count('removed_files'),
  };
};
/** A converted document in the recycle bin, with derived files. */
async function deletedDocument(bytes?: Buffer) {
  const owner = await newUploader(ctx);
  const { id } = await addDocument(ctx, owner, { category_id, bytes });
  await setConversionState(ctx, id);
  const hash = await hashOf(id);
  const keys = renditionStorageKeys({ hash, format: 'pdf', version: 1 });
  for (const key of [keys.cover, keys.page(1), keys.text]) await ctx.storage.put(key, Buffer.from('made'));
  await remove('/document', [id], owner.headers);
  return { id, hash, owner };
}

describe('permanent deletion', () => {
  test('deletes rows immediately, and original and derived files after the retention time', async () => {
    const { id, hash } = await deletedDocument();
    expect((await remove('/document/recycle', [id])).statusCode).toBe(200);
    expect((await pool.query('select 1 from documents where id = $1', [id])).rows).toEqual([]);
    expect(await rowsOf(hash)).toEqual({ renditions: 1, attachments: 0, removed: 1 });
    advanceMinutes(1439);
    await eraseExpiredFiles(ctx);
    expect(await storedUnder(hash)).toBe(4);
    advanceMinutes(2);
    await eraseExpiredFiles(ctx);
    expect(await storedUnder(hash)).toBe(0);
    expect(await rowsOf(hash)).toEqual({ renditions: 0, attachments: 0, removed: 0 });
  });

  test('does not erase files while a backup runs', async () => {
    const { id, hash } = await deletedDocument();
    await remove('/document/recycle', [id]);
    advanceMinutes(1441);
    const backup = await pool.connect();
    await blockFileErasure(backup);
    expect(await eraseExpiredFiles(ctx)).toBe(0);
    expect(await storedUnder(hash)).toBe(4);
    backup.release(true);
    await expect.poll(() => eraseExpiredFiles(ctx)).toBe(1);
    expect(await storedUnder(hash)).toBe(0);
  });

  test('is rejected for all documents if one is not in the recycle bin', async () => {
    const { id } = await deletedDocument();
    const { id: existingId } = await addDocument(ctx, await newUploader(ctx), { category_id });
    expect((await remove('/document/recycle', [id, existingId])).statusCode).toBe(404);
    expect((await pool.query('select 1 from documents where id = any($1)', [[id, existingId]])).rows).toHaveLength(2);
    await expect(pool.query('delete from documents where id = $1', [existingId])).rejects.toThrow(
      'not in the recycle bin',
    );
  });

  test('keeps a file that another document uses, also a document in the recycle bin', async () => {
    const bytes = pdfOf();
    const [first, second] = [await deletedDocument(bytes), await deletedDocument(bytes)];
    await remove('/document/recycle', [first.id]);
    advanceMinutes(2000);
    expect(await eraseExpiredFiles(ctx)).toBe(0);
    expect(await storedUnder(first.hash)).toBe(4);
    await remove('/document/recycle', [second.id]);
    advanceMinutes(2000);
    expect(await eraseExpiredFiles(ctx)).toBe(1);
    expect(await storedUnder(first.hash)).toBe(0);
  });

  test('keeps a file that was uploaded again, even without a document', async () => {
    const bytes = pdfOf();
    const { id, hash, owner } = await deletedDocument(bytes);
    await remove('/document/recycle', [id]);
    advanceMinutes(2000);
    await newUpload(ctx, owner.id, { bytes });
    expect(await eraseExpiredFiles(ctx)).toBe(0);
    expect(await storedUnder(hash)).toBe(4);
    expect(await rowsOf(hash)).toEqual({ renditions: 1, attachments: 1, removed: 0 });
  });

  test('does not erase files while their conversion runs', async () => {
    const { id, hash } = await deletedDocument();
    await remove('/document/recycle', [id]);
    advanceMinutes(2000);
    await pool.query(`update renditions set lease_until = now() + interval '1 minute' where hash = $1`, [hash]);
    expect(await eraseExpiredFiles(ctx)).toBe(0);
    expect(await rowsOf(hash)).toMatchObject({ renditions: 1, removed: 1 });
    await pool.query('update renditions set lease_until = null where hash = $1', [hash]);
    expect(await eraseExpiredFiles(ctx)).toBe(1);
  });

  test('erases a banned file and keeps its hash banned', async () => {
    const { id, hash } = await deletedDocument();
    await pool.query('update attachments set enable = false where hash = $1', [hash]);
    await remove('/document/recycle', [id]);
    advanceMinutes(2000);
    expect(await eraseExpiredFiles(ctx)).toBe(1);
    expect(await storedUnder(hash)).toBe(0);
    const { rows } = await pool.query('select enable, type_id::int from attachments where hash = $1', [hash]);
    expect(rows).toEqual([{ enable: false, type_id: 0 }]);
  });

  test('never erases a file that is uploaded again concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const bytes = pdfOf();
      const { id, hash, owner } = await deletedDocument(bytes);
      await remove('/document/recycle', [id]);
      advanceMinutes(2000);
      const upload = async () => {
        await sleep(round);
        return addDocument(ctx, owner, { category_id, bytes });
      };
      const [, , document] = await Promise.all([eraseExpiredFiles(ctx), eraseExpiredFiles(ctx), upload()]);
      const { rows } = await pool.query(
        'select r.hash from documents d join renditions r on r.id = d.rendition_id where d.id = $1',
        [document.id],
      );
      expect(rows).toEqual([{ hash }]);
      expect(await ctx.storage.stat(originalKey(hash))).not.toBeNull();
    }
  });
});

describe('clearing the recycle bin', () => {
  test('erases all deleted documents and no others', async () => {
    const { id: existingId } = await addDocument(ctx, await newUploader(ctx), { category_id });
    await deletedDocument();
    const answer = await app.inject({
      method: 'DELETE',
      url: '/api/v1/document/recycle/all',
      headers: await as.root(),
    });
    expect(answer.json()).toEqual({});
    const { rows } = await pool.query('select id::int from documents where deleted_at is not null');
    expect(rows).toEqual([]);
    expect((await pool.query('select 1 from documents where id = $1', [existingId])).rows).toHaveLength(1);
  });

  test('by the scheduled job erases only documents older than recycle_days, and none for 0', async () => {
    const oldDocument = await deletedDocument();
    advanceMinutes(29 * 24 * 60);
    const recentDocument = await deletedDocument();
    advanceMinutes(2 * 24 * 60);
    const run = () => eraseExpiredDocuments.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    const remainingRows = async () =>
      (await pool.query('select id::int from documents where id = any($1)', [[oldDocument.id, recentDocument.id]]))
        .rows;
    await setSetting(ctx, 'security.recycle_days', '0');
    await run();
    expect(await remainingRows()).toHaveLength(2);
    await setSetting(ctx, 'security.recycle_days', '30');
    await run();
    expect(await remainingRows()).toEqual([{ id: recentDocument.id }]);
  });
});

test('an upload without a document is removed after a day, and its file after the retention time', async () => {
  const owner = await newUploader(ctx);
  const bytes = pdfOf();
  const id = await newUpload(ctx, owner.id, { bytes });
  const { rows } = await pool.query('select hash from attachments where id = $1', [id]);
  const { hash } = rows[0];
  advanceMinutes(23 * 60);
  await deleteUnusedAttachments(ctx);
  expect((await rowsOf(hash)).attachments).toBe(1);
  advanceMinutes(2 * 60);
  await deleteUnusedAttachments(ctx);
  expect(await rowsOf(hash)).toMatchObject({ attachments: 0, removed: 1 });
  expect(await storedUnder(hash)).toBe(1);
  advanceMinutes(1441);
  await eraseExpiredFiles(ctx);
  expect(await storedUnder(hash)).toBe(0);
});
