import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { deleteUnusedAttachments } from '#modules/attachment/delete-unused-attachments.ts';
import { blobPrefix, derivedKeys, originalKey } from '#modules/conversion/rendition-keys.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { stopErasing } from '#platform/server/storage/erase-lock.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocument, convert, newBranch, newUpload, newUploader, pdfOf } from '../document.fixture.ts';
import { emptyRecycle } from './erase-documents.ts';
import { eraseFiles } from './erase-files.ts';

const { app, ctx, as, pool, clock } = await testApp();
type Headers = { authorization?: string };

const category_id = await newBranch(ctx);
const pass = (minutes: number) => {
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
    contents: await count('contents'),
    attachments: await count('attachments'),
    removed: await count('removed_files'),
  };
};
/** A converted document in the recycle bin, with something made of its file. */
async function deletedDocument(bytes?: Buffer) {
  const owner = await newUploader(ctx);
  const { id } = await addDocument(ctx, owner, { category_id, bytes });
  await convert(ctx, id);
  const hash = await hashOf(id);
  const keys = derivedKeys({ hash, format: 'pdf', version: 1 });
  for (const key of [keys.cover, keys.page(1), keys.text]) await ctx.storage.put(key, Buffer.from('made'));
  await remove('/document', [id], owner.headers);
  return { id, hash, owner };
}

describe('deleting for good', () => {
  test('erases the rows at once, and the file with all made of it when its time has come', async () => {
    const { id, hash } = await deletedDocument();
    expect((await remove('/document/recycle', [id])).statusCode).toBe(200);
    expect((await pool.query('select 1 from documents where id = $1', [id])).rows).toEqual([]);
    expect(await rowsOf(hash)).toEqual({ contents: 1, attachments: 0, removed: 1 });
    pass(1439);
    await eraseFiles(ctx);
    expect(await storedUnder(hash)).toBe(4);
    pass(2);
    await eraseFiles(ctx);
    expect(await storedUnder(hash)).toBe(0);
    expect(await rowsOf(hash)).toEqual({ contents: 0, attachments: 0, removed: 0 });
  });

  test('waits for a backup, which still has to copy the file', async () => {
    const { id, hash } = await deletedDocument();
    await remove('/document/recycle', [id]);
    pass(1441);
    const backup = await pool.connect();
    await stopErasing(backup);
    expect(await eraseFiles(ctx)).toBe(0);
    expect(await storedUnder(hash)).toBe(4);
    backup.release(true);
    await expect.poll(() => eraseFiles(ctx)).toBe(1);
    expect(await storedUnder(hash)).toBe(0);
  });

  test('only what lies in the recycle bin, and all of it or nothing', async () => {
    const { id } = await deletedDocument();
    const { id: present } = await addDocument(ctx, await newUploader(ctx), { category_id });
    expect((await remove('/document/recycle', [id, present])).statusCode).toBe(404);
    expect((await pool.query('select 1 from documents where id = any($1)', [[id, present]])).rows).toHaveLength(2);
    await expect(pool.query('delete from documents where id = $1', [present])).rejects.toThrow(
      'not in the recycle bin',
    );
  });

  test('keeps a file that another document uses, also one in the recycle bin', async () => {
    const bytes = pdfOf();
    const [first, second] = [await deletedDocument(bytes), await deletedDocument(bytes)];
    await remove('/document/recycle', [first.id]);
    pass(2000);
    expect(await eraseFiles(ctx)).toBe(0);
    expect(await storedUnder(first.hash)).toBe(4);
    await remove('/document/recycle', [second.id]);
    pass(2000);
    expect(await eraseFiles(ctx)).toBe(1);
    expect(await storedUnder(first.hash)).toBe(0);
  });

  test('keeps a file that came back in the meantime, before it has a document', async () => {
    const bytes = pdfOf();
    const { id, hash, owner } = await deletedDocument(bytes);
    await remove('/document/recycle', [id]);
    pass(2000);
    await newUpload(ctx, owner.id, { bytes });
    expect(await eraseFiles(ctx)).toBe(0);
    expect(await storedUnder(hash)).toBe(4);
    expect(await rowsOf(hash)).toEqual({ contents: 1, attachments: 1, removed: 0 });
  });

  test('waits for a conversion that is under way', async () => {
    const { id, hash } = await deletedDocument();
    await remove('/document/recycle', [id]);
    pass(2000);
    await pool.query(`update contents set lease_until = now() + interval '1 minute' where hash = $1`, [hash]);
    expect(await eraseFiles(ctx)).toBe(0);
    expect(await rowsOf(hash)).toMatchObject({ contents: 1, removed: 1 });
    await pool.query('update contents set lease_until = null where hash = $1', [hash]);
    expect(await eraseFiles(ctx)).toBe(1);
  });

  test('a banned file goes too, but its hash stays refused', async () => {
    const { id, hash } = await deletedDocument();
    await pool.query('update attachments set enable = false where hash = $1', [hash]);
    await remove('/document/recycle', [id]);
    pass(2000);
    expect(await eraseFiles(ctx)).toBe(1);
    expect(await storedUnder(hash)).toBe(0);
    const { rows } = await pool.query('select enable, type_id::int from attachments where hash = $1', [hash]);
    expect(rows).toEqual([{ enable: false, type_id: 0 }]);
  });

  test('of many that erase and upload the same bytes at once, none loses a file that is in use', async () => {
    for (let round = 0; round < 10; round += 1) {
      const bytes = pdfOf();
      const { id, hash, owner } = await deletedDocument(bytes);
      await remove('/document/recycle', [id]);
      pass(2000);
      const upload = async () => {
        await sleep(round);
        return addDocument(ctx, owner, { category_id, bytes });
      };
      const [, , again] = await Promise.all([eraseFiles(ctx), eraseFiles(ctx), upload()]);
      const { rows } = await pool.query(
        'select c.hash from documents d join contents c on c.id = d.content_id where d.id = $1',
        [again.id],
      );
      expect(rows).toEqual([{ hash }]);
      expect(await ctx.storage.stat(originalKey(hash))).not.toBeNull();
    }
  });
});

describe('the recycle bin', () => {
  test('is emptied of all that lies in it, and of nothing else', async () => {
    const { id: present } = await addDocument(ctx, await newUploader(ctx), { category_id });
    await deletedDocument();
    const answer = await app.inject({
      method: 'DELETE',
      url: '/api/v1/document/recycle/all',
      headers: await as.root(),
    });
    expect(answer.json()).toEqual({});
    const { rows } = await pool.query('select id::int from documents where deleted_at is not null');
    expect(rows).toEqual([]);
    expect((await pool.query('select 1 from documents where id = $1', [present])).rows).toHaveLength(1);
  });

  test('is cleared by the clock of what has had its time', async () => {
    const old = await deletedDocument();
    pass(29 * 24 * 60);
    const young = await deletedDocument();
    pass(2 * 24 * 60);
    const run = () => emptyRecycle.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    const left = async () =>
      (await pool.query('select id::int from documents where id = any($1)', [[old.id, young.id]])).rows;
    await setSetting(ctx, 'security.recycle_days', '0');
    await run();
    expect(await left()).toHaveLength(2);
    await setSetting(ctx, 'security.recycle_days', '30');
    await run();
    expect(await left()).toEqual([{ id: young.id }]);
  });
});

test('an upload of which nobody made a document within a day is forgotten, and its file erased in time', async () => {
  const owner = await newUploader(ctx);
  const bytes = pdfOf();
  const id = await newUpload(ctx, owner.id, { bytes });
  const { rows } = await pool.query('select hash from attachments where id = $1', [id]);
  const { hash } = rows[0];
  pass(23 * 60);
  await deleteUnusedAttachments(ctx);
  expect((await rowsOf(hash)).attachments).toBe(1);
  pass(2 * 60);
  await deleteUnusedAttachments(ctx);
  expect(await rowsOf(hash)).toMatchObject({ attachments: 0, removed: 1 });
  expect(await storedUnder(hash)).toBe(1);
  pass(1441);
  await eraseFiles(ctx);
  expect(await storedUnder(hash)).toBe(0);
});
