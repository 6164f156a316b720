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

const nothing = () => emptySite(folder, () => site.clock.now);

async function contentOf(pool: pg.Pool) {
  const client = await pool.connect();
  try {
    const content: Record<string, unknown[]> = {};
    for (const { name } of await listTablesByDependency(client))
      content[name] = (await client.query(`select to_jsonb(t) as row from "${name}" t order by 1`)).rows;
    return content;
  } finally {
    client.release();
  }
}

test('a backup restored into an empty site gives the same site', async () => {
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
  // Numbers of what was deleted are not given again, also not after a restore.
  const link = { title: '旧友链', link: 'https://example.net' };
  const made = await site.app.inject({
    method: 'POST',
    url: '/api/v1/friendlink',
    headers,
    payload: link,
  });
  const { id: lastId } = made.json();
  await site.app.inject({ method: 'DELETE', url: `/api/v1/friendlink?id=${lastId}`, headers });
  const written = await writeBackup(site, file);
  expect(written.files).toBe(1);

  const copy = await nothing();
  const restored = await restoreBackup(copy, file);
  expect(restored).toEqual({ rows: written.rows, files: 1 });
  expect(await contentOf(copy.pool)).toEqual(await contentOf(site.pool));
  const { stream, contentType } = await copy.ctx.storage.get('uploads/banner/ab/picture.webp');
  expect([await text(stream), contentType]).toEqual(['a picture', 'image/webp']);

  // The copy works on: sessions are valid, and new rows get new ids.
  const app = await buildServer(copy.ctx, copy.pool, { log, pages: null });
  afterAll(() => app.close());
  const added = await app.inject({
    method: 'POST',
    url: '/api/v1/friendlink',
    headers,
    payload: { title: '新友链', link: 'https://example.org' },
  });
  expect(added.statusCode).toBe(200);
  expect(added.json().id).toBe(lastId + 1);
});

test('a file the backup refers to is not cleaned away while it is written', async () => {
  const { payload, contentType } = multipartForm(await makePicture());
  const uploaded = await site.app.inject({
    method: 'POST',
    url: '/api/v1/upload/banner',
    headers: { ...(await site.as.root()), 'content-type': contentType },
    payload,
  });
  const key = uploaded.json().data.path.slice(1);
  site.clock.now = new Date(site.clock.now.getTime() + 48 * 3_600_000);
  const removed: number[] = [];
  const { storage } = site.ctx;
  // After the tables were read, and before the first file is copied, the cleaner comes by.
  const list: typeof storage.list = async function* (prefix) {
    removed.push(await deleteUnusedAttachments(site.ctx));
    yield* storage.list(prefix);
  };
  const slow = { ...site, ctx: { ...site.ctx, storage: { ...storage, list } } };
  await writeBackup(slow, join(folder, 'cleaned.backup'));
  expect(removed).toEqual([0]);
  const copy = await nothing();
  await restoreBackup(copy, join(folder, 'cleaned.backup'));
  expect(await copy.ctx.storage.stat(key)).not.toBeNull();
  // Afterwards it does its work.
  expect(await deleteUnusedAttachments(site.ctx)).toBe(1);
  expect(await storage.stat(key)).toBeNull();
});

test('a site that is not empty is never overwritten', async () => {
  await expect(restoreBackup(site, file)).rejects.toThrow('目标数据库不是空的');
});

test('a damaged or cut backup is refused before anything is written', async () => {
  const bytes = await readFile(file);
  const damaged = Buffer.from(bytes);
  damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 64);
  const cut = bytes.subarray(0, bytes.length - 200);
  const copy = await nothing();
  for (const content of [damaged, cut, Buffer.from('not a backup at all')]) {
    const path = join(folder, 'damaged.backup');
    await writeFile(path, content);
    // In Chinese to the end: no word of the libraries that read it.
    await expect(restoreBackup(copy, path)).rejects.toThrow(/^备份文件已损坏或不完整：[\p{Script=Han}，]+$/u);
  }
  const { rows } = await copy.pool.query(`select to_regclass('users') as found`);
  expect(rows[0].found).toBeNull();
  await expect(restoreBackup(copy, join(folder, 'none'))).rejects.toThrow('没有找到备份文件');
});
