import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { makePicture, uploadRequest } from '#modules/attachment/picture.fixture.ts';
import { addRendition, convertOnce, waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { findRendition } from '#modules/conversion/rendition.ts';
import { addDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { createUploadRequest, uploadPartRequest } from '#modules/upload/resumable.fixture.ts';
import type { Context } from '#platform/server/context.ts';
import { s3Url, startMemoryS3 } from '#testing/memory-s3.ts';
import { runDouku } from '#testing/run-douku.ts';
import { mountSmallDisk } from '#testing/small-disk.ts';
import { testApp } from '#testing/test-app.ts';

const MESSAGE = '服务器存储空间不足，请联系管理员';
const env = { LOG_LEVEL: 'fatal' };

/** Seconds until the conversion is retried; null if it is not scheduled. */
const retrySeconds = async (ctx: Context, id: number) => {
  const { rows } = await ctx.db.execute<{ seconds: number | null }>(
    sql`select extract(epoch from convert_after - now())::float8 as seconds
      from renditions where id = ${id}`,
  );
  return rows[0]?.seconds;
};

const disk = await mountSmallDisk(16);
describe('a site on a full disk', async () => {
  const { app, as, ctx, url } = await testApp({ env: { ...env, DATA_DIR: disk.folder } });
  const root = await as.root();
  const rendition = await addRendition(ctx, 'a.txt', Buffer.from(randomBytes(8).toString('hex')));
  const avatar = uploadRequest('avatar', await makePicture(), 'a.png', root);
  const uploadedPath = (await app.inject(avatar)).json().data.path;
  const text = Buffer.from(randomBytes(5_000).toString('hex'));
  const resumable = await app.inject(createUploadRequest(text.length, 'a.txt', root));
  beforeAll(() => disk.fill(ctx.storage));

  test.each<[string, InjectOptions]>([
    ['an avatar', uploadRequest('avatar', await makePicture('png', 300, 300), 'b.png', root)],
    ['a picture', uploadRequest('banner', await makePicture('png', 300, 300), 'b.png', root)],
    ['a document', uploadRequest('document', text, 'b.txt', root)],
    ['a part of a document', uploadPartRequest(String(resumable.headers.location), 0, text, root)],
  ])('rejects %s with 507 and a readable message', async (_, request) => {
    const response = await app.inject(request);
    expect([response.statusCode, response.json().message]).toEqual([507, MESSAGE]);
  });

  test('stays ready for readers and reports that the storage is full', async () => {
    const ready = await app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ok', database: 'ok', storage: 'full' }]);
    expect((await app.inject(uploadedPath)).statusCode).toBe(200);
  });

  test('reports the full disk in metrics, on the dashboard and in `douku doctor`', async () => {
    const { body } = await app.inject('/metrics');
    expect(body).toMatch(/^douku_storage_full 1$/m);
    expect(body).toMatch(/^douku_disk_free_bytes \d+$/m);
    expect(body).toMatch(/^douku_disk_size_bytes \d+$/m);
    const { envs } = (await app.inject({ url: '/api/v1/envs', headers: root })).json();
    const finding = envs.find(({ name }: { name: string }) => name === '文件存储');
    expect(finding).toMatchObject({ state: 'bad', detail: '空间已满，只能阅读，不能上传和转换' });
    // The command opens the storage itself, so it finds only a disk that is really full.
    if (!disk.isMounted) return;
    const doctor = await runDouku({ url, folder: disk.folder }, ['doctor']);
    expect(doctor.output).toContain('✗ 文件存储：空间已满，只能阅读，不能上传和转换');
    expect(doctor.code).toBe(1);
  });

  test.runIf(disk.isMounted)(
    'delays a conversion with a reason, and finishes it when space is free again',
    async () => {
      await convertOnce(ctx, rendition.id);
      expect(await findRendition(ctx, rendition.id)).toMatchObject({
        state: 'waiting',
        reason: '存储空间不足，有空间后自动继续转换',
      });
      expect(await retrySeconds(ctx, rendition.id)).toBeGreaterThan(0);
      await disk.empty();
      await convertOnce(ctx, rendition.id);
      expect(await waitForRendition(ctx, rendition.id)).toMatchObject({ state: 'ready', reason: '' });
    },
  );
});

test('a full S3 storage rejects a picture with 507, and a conversion waits and continues when space is free', async () => {
  const s3 = await startMemoryS3();
  const { app, as, ctx } = await testApp({ env: { ...env, STORAGE_URL: s3Url(s3.port) } });
  const { id } = await addRendition(ctx, 'a.txt', Buffer.from(randomBytes(8).toString('hex')));
  s3.state.isFull = true;
  const response = await app.inject(uploadRequest('avatar', await makePicture(), 'a.png', await as.root()));
  expect([response.statusCode, response.json().message]).toEqual([507, MESSAGE]);
  await convertOnce(ctx, id);
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'waiting',
    reason: '存储空间不足，有空间后自动继续转换',
  });
  expect(await retrySeconds(ctx, id)).toBeGreaterThan(0);
  s3.state.isFull = false;
  await convertOnce(ctx, id);
  expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'ready', reason: '' });
});

describe('a document that waits for disk space', async () => {
  const s3 = await startMemoryS3();
  const { app, as, ctx } = await testApp({ env: { ...env, STORAGE_URL: s3Url(s3.port) } });

  test('shows the reason to its owner and administrators only, and not after the conversion', async () => {
    const owner = await newUploader(ctx);
    const { id, rendition_id } = await addDocument(ctx, owner, {
      category_id: await createCategoryChain(ctx),
      bytes: Buffer.from(randomBytes(8).toString('hex')),
      ext: '.txt',
    });
    const reasonsFor = async (headers: { authorization?: string }) => {
      const get = async (path: string) => (await app.inject({ url: `/api/v1/document${path}`, headers })).json();
      const { convert_error } = await get(`?id=${id}`);
      const list = await get(`/list?id=${id}`);
      const progress = await get(`/progress?id=${id}`);
      return [convert_error, list.document[0].convert_error, progress.document[0].reason];
    };
    s3.state.isFull = true;
    await convertOnce(ctx, rendition_id ?? 0);
    const reason = '存储空间不足，有空间后自动继续转换';
    expect(await reasonsFor(owner.headers)).toEqual([reason, reason, reason]);
    expect(await reasonsFor(await as.root())).toEqual([reason, reason, reason]);
    for (const headers of [as.visitor, await as.user()]) expect(await reasonsFor(headers)).toEqual(['', '', '']);
    s3.state.isFull = false;
    await convertOnce(ctx, rendition_id ?? 0);
    expect(await reasonsFor(owner.headers)).toEqual(['', '', '']);
  });
});

test('a conversion waits with a reason when the disk of the database fills up, and continues without losing an attempt', async () => {
  const { ctx, pool } = await testApp({ env });
  const { id } = await addRendition(ctx, 'a.txt', Buffer.from(randomBytes(8).toString('hex')));
  // A sequence keeps its value when the transaction fails.
  await pool.query(`create sequence refused_writes;
    create function refuse_writes() returns trigger language plpgsql as $$ begin
      perform nextval('refused_writes');
      raise exception 'could not extend file' using errcode = 'disk_full';
    end $$;
    create trigger full_disk before update on renditions for each row
      when (old.lease_token is not null) execute function refuse_writes()`);
  const refusedWrites = async () =>
    Number((await pool.query('select last_value from refused_writes')).rows[0].last_value);
  const conversion = convertOnce(ctx, id);
  // The first refused write is the progress of the conversion, the others its reason.
  await expect.poll(refusedWrites).toBeGreaterThan(2);
  await pool.query('drop trigger full_disk on renditions');
  await conversion;
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'waiting',
    reason: '存储空间不足，有空间后自动继续转换',
    attempts: 0,
    interruptions: 0,
    lease_token: null,
  });
  expect(await retrySeconds(ctx, id)).toBeGreaterThan(0);
  await convertOnce(ctx, id);
  expect(await findRendition(ctx, id)).toMatchObject({ state: 'ready', reason: '', attempts: 1 });
});

test('changes of settings and rows are rejected with 507 when the disk of the database is full', async () => {
  const { app, as, pool } = await testApp({ env });
  await pool.query(`create function refuse_rows() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  for (const table of ['settings', 'categories'])
    await pool.query(`create trigger full_disk before insert or update on ${table}
      for each row execute function refuse_rows()`);
  const headers = await as.root();
  const category = { method: 'POST' as const, url: '/api/v1/category', payload: { title: '甲' } };
  const settings = {
    method: 'PUT' as const,
    url: '/api/v1/config',
    payload: { config: [{ category: 'system', name: 'sitename', value: '乙' }] },
  };
  for (const request of [category, settings]) {
    const response = await app.inject({ ...request, headers });
    expect([request.url, response.statusCode, response.json().message]).toEqual([request.url, 507, MESSAGE]);
  }
});
