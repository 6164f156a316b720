import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { buildServer } from '#app/server/build-server.ts';
import { deleteUnusedAttachments } from '#modules/attachment/delete-unused-attachments.ts';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { listTablesByDependency } from '#platform/server/db/table-catalogue.ts';
import { createLog } from '#platform/server/log.ts';
import { emptySite } from '#testing/empty-site.ts';
import { testApp } from '#testing/test-app.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const site = await testApp();
const folder = await mkdtemp(join(tmpdir(), 'douku-backup-test-'));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'site.backup');
const log = createLog('error');

const newEmptySite = () => emptySite(folder, () => site.clock.now);

async function rowsByTable(pool: pg.Pool) {
  const client = await pool.connect();
  try {
    const rows: Record<string, unknown[]> = {};
    for (const { name } of await listTablesByDependency(client))
      rows[name] = (await client.query(`select to_jsonb(t) as row from "${name}" t order by 1`)).rows;
    return rows;
  } finally {
    client.release();
  }
}

test('a backup restored into an empty site has the same rows, files and id counters', async () => {
  const headers = await site.as.root();
  await site.app.inject({
    method: 'POST',
    url: '/api/v1/category',
    headers,
    payload: { title: '带"引号"、\\反斜线\t和制表符' },
  });
  await site.ctx.storage.put('uploads/banner/ab/picture.webp', Buffer.from('a picture'), {
    contentType: 'image/webp',
  });
  // Ids of deleted rows are not reused, also after a restore.
  const link = { title: '旧友链', link: 'https://example.net' };
  const linkResponse = await site.app.inject({
    method: 'POST',
    url: '/api/v1/friendlink',
    headers,
    payload: link,
  });
  const { id: lastId } = linkResponse.json();
  await site.app.inject({ method: 'DELETE', url: `/api/v1/friendlink?id=${lastId}`, headers });
  const backup = await writeBackup(site, file);
  expect(backup.files).toBe(1);

  const copy = await newEmptySite();
  const restoredCounts = await restoreBackup(copy, file);
  expect(restoredCounts).toEqual({ rows: backup.rows, files: 1 });
  expect(await rowsByTable(copy.pool)).toEqual(await rowsByTable(site.pool));
  const { stream, contentType } = await copy.ctx.storage.get('uploads/banner/ab/picture.webp');
  expect([await text(stream), contentType]).toEqual(['a picture', 'image/webp']);

  const app = await buildServer(copy.ctx, copy.pool, { log, pages: null });
  afterAll(() => app.close());
  const newLinkResponse = await app.inject({
    method: 'POST',
    url: '/api/v1/friendlink',
    headers,
    payload: { title: '新友链', link: 'https://example.org' },
  });
  expect(newLinkResponse.statusCode).toBe(200);
  expect(newLinkResponse.json().id).toBe(lastId + 1);
});

test('a file of the backup is not deleted as unused while the backup is written', async () => {
  const { payload, contentType } = multipartForm(await makePicture());
  const uploadResponse = await site.app.inject({
    method: 'POST',
    url: '/api/v1/upload/banner',
    headers: { ...(await site.as.root()), 'content-type': contentType },
    payload,
  });
  const key = uploadResponse.json().data.path.slice(1);
  site.clock.now = new Date(site.clock.now.getTime() + 48 * 3_600_000);
  const deletedCounts: number[] = [];
  const { storage } = site.ctx;
  // The cleanup job runs after the tables were read and before the first file is copied.
  const list: typeof storage.list = async function* (prefix) {
    deletedCounts.push(await deleteUnusedAttachments(site.ctx));
    yield* storage.list(prefix);
  };
  const siteWithCleanup = { ...site, ctx: { ...site.ctx, storage: { ...storage, list } } };
  await writeBackup(siteWithCleanup, join(folder, 'cleaned.backup'));
  expect(deletedCounts).toEqual([0]);
  const copy = await newEmptySite();
  await restoreBackup(copy, join(folder, 'cleaned.backup'));
  expect(await copy.ctx.storage.stat(key)).not.toBeNull();
  // After the backup the cleanup deletes the file.
  expect(await deleteUnusedAttachments(site.ctx)).toBe(1);
  expect(await storage.stat(key)).toBeNull();
});

test('restoreBackup rejects a site that is not empty', async () => {
  await expect(restoreBackup(site, file)).rejects.toThrow('目标数据库不是空的');
});

test('restoreBackup rejects a damaged or truncated backup before it writes anything', async () => {
  const bytes = await readFile(file);
  const damagedBytes = Buffer.from(bytes);
  damagedBytes.fill(0x55, damagedBytes.length >> 1, (damagedBytes.length >> 1) + 64);
  const truncatedBytes = bytes.subarray(0, bytes.length - 200);
  const copy = await newEmptySite();
  for (const bytes of [damagedBytes, truncatedBytes, Buffer.from('not a backup at all')]) {
    const path = join(folder, 'damaged.backup');
    await writeFile(path, bytes);
    // The message is Chinese throughout, without messages of libraries.
    await expect(restoreBackup(copy, path)).rejects.toThrow(/^备份文件已损坏或不完整：[\p{Script=Han}，]+$/u);
  }
  const { rows } = await copy.pool.query(`select to_regclass('users') as users_table`);
  expect(rows[0].users_table).toBeNull();
  await expect(restoreBackup(copy, join(folder, 'none'))).rejects.toThrow('没有找到备份文件');
});
