import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import type { ArchiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import {
  cancelUploadRequest,
  createUploadRequest,
  uploadPartRequest,
  uploadStatusRequest,
} from '../resumable.fixture.ts';
import { deleteExpiredUploads } from '../resumable-upload.ts';
import { uploads } from '../upload.table.ts';
import { makeZipArchive } from './archive.fixture.ts';

const { app, ctx, folder } = await testApp();
const uploaderRole = await newRole(ctx, [], { enable_upload: true });
const { headers: owner } = await newMember(ctx, [uploaderRole]);
const { headers: stranger } = await newMember(ctx, [uploaderRole]);

afterEach(async () => {
  await setSetting(ctx, 'security.max_open_upload_size', '0');
  await setSetting(ctx, 'security.max_document_size', '50');
  await setSetting(ctx, 'security.document_allowed_ext', '');
  expect(await readdir(path.join(folder, 'tmp')).catch(() => [])).toEqual([]);
});

/** Sends an archive; returns the URL and the id of its upload. */
async function send(name: string, bytes: Buffer): Promise<{ url: string; id: string }> {
  const creation = await app.inject(createUploadRequest(bytes.length, name, owner));
  expect(creation.statusCode).toBe(201);
  const url = String(creation.headers.location);
  const part = await app.inject(uploadPartRequest(url, 0, bytes, owner));
  expect(part.statusCode).toBe(204);
  expect(part.headers['upload-attachment-id']).toBeUndefined();
  return { url, id: path.posix.basename(url) };
}
const post = (endpointPath: string, payload: object, headers = owner) =>
  app.inject({ method: 'POST', url: `/api/v1/upload/archive${endpointPath}`, headers, payload });

async function unpack(name: string, bytes: Buffer) {
  const upload = await send(name, bytes);
  const response = await post('', { id: upload.id });
  return {
    ...upload,
    status: response.statusCode,
    message: response.json().message as string,
    entries: (response.json().entry ?? []) as ArchiveEntry[],
  };
}
const listStoredFiles = async (id: string) =>
  (await Array.fromAsync(ctx.storage.list(`incoming/${id}/`))).map(({ key }) => key.split('/').slice(2).join('/'));

describe('an uploaded ZIP', () => {
  test('is listed with the reason why a file cannot be uploaded, and its documents become attachments', async () => {
    const { id, entries } = await unpack(
      '资料.zip',
      makeZipArchive([
        { name: '教案/', body: '' },
        { name: '教案/第一课.txt', body: '第一课的内容' },
        { name: '教案/讲义.pdf', body: '不是 PDF' },
        { name: '程序.exe', body: 'MZ' },
        { name: '里层.zip', body: 'PK' },
        { name: '空.txt', body: '' },
        { name: '__MACOSX/教案/._第一课.txt', body: 'x' },
        { name: '.DS_Store', body: 'x' },
      ]),
    );
    expect(entries.map(({ path: entryPath, size, problem }) => [entryPath, size, problem])).toEqual([
      ['教案/第一课.txt', 18, null],
      ['教案/讲义.pdf', 10, null],
      ['程序.exe', 2, 'unsupported'],
      ['里层.zip', 2, 'archive'],
      ['空.txt', 0, 'empty'],
    ]);
    const attachment = await post('/document', { id, index: 0 });
    const [row] = await ctx.db.select().from(attachments).where(eq(attachments.id, attachment.json().id));
    expect(row).toMatchObject({ name: '第一课.txt', ext: '.txt', size: 18, type_id: 0 });
    const mismatch = await post('/document', { id, index: 1 });
    expect([mismatch.statusCode, mismatch.json().message]).toEqual([422, '文件扩展名是 .pdf，内容却是纯文本']);
    expect((await post('/document', { id, index: 2 })).statusCode).toBe(404);
    expect((await post('/document', { id, index: 99 })).statusCode).toBe(404);
  });

  test('with names of an old Chinese Windows is listed with readable names', async () => {
    const gbkName = Buffer.from([0xd7, 0xca, 0xc1, 0xcf, 0x2f, 0xd6, 0xd0, 0xce, 0xc4, 0x2e, 0x74, 0x78, 0x74]);
    const { entries } = await unpack('旧.zip', makeZipArchive([{ name: gbkName, body: '甲' }]));
    expect(entries[0]?.path).toBe('资料/中文.txt');
  });

  test.each([
    ['../../etc/cron.d/a.txt', 'etc/cron.d/a.txt'],
    ['/etc/passwd.txt', 'etc/passwd.txt'],
    ['..\\..\\a.txt', 'a.txt'],
    ['C:\\Windows\\a.txt', 'Windows/a.txt'],
    ['a\u0000/b\n.txt', 'a/b.txt'],
  ])('with the path %j is listed as %s and writes no file outside of its folder', async (name, listedPath) => {
    const { entries, id } = await unpack('路径.zip', makeZipArchive([{ name, body: '甲' }]));
    expect(entries.map((entry) => entry.path)).toEqual([listedPath]);
    expect((await listStoredFiles(id)).sort()).toEqual(['entries.json', 'entry/0']);
  });

  test('that is unpacked again returns the same list, and holds no more storage than its documents', async () => {
    const body = '字'.repeat(1_000);
    const { id, entries } = await unpack('两次.zip', makeZipArchive([{ name: 'a.txt', body }]));
    expect((await post('', { id })).json().entry).toEqual(entries);
    const [row] = await ctx.db.select().from(uploads).where(eq(uploads.id, id));
    expect(row).toMatchObject({ size: 3_000, received: 3_000, parts: [], attachment_id: null });
  });

  test('is removed with its unpacked files when it is cancelled or expires', async () => {
    const cancelledUpload = await unpack('取消.zip', makeZipArchive([{ name: 'a.txt', body: '甲' }]));
    expect((await app.inject(cancelUploadRequest(cancelledUpload.url, owner))).statusCode).toBe(204);
    const expiredUpload = await unpack('过期.zip', makeZipArchive([{ name: 'a.txt', body: '甲' }]));
    const tomorrow = { ...ctx, now: () => new Date(Date.now() + 25 * 60 * 60 * 1000) };
    await deleteExpiredUploads.run(tomorrow, {}, { signal: new AbortController().signal, attempt: 1 });
    for (const { id } of [cancelledUpload, expiredUpload]) {
      expect(await listStoredFiles(id)).toEqual([]);
      expect((await post('/document', { id, index: 0 })).statusCode).toBe(404);
    }
  });

  test('is only available to its owner', async () => {
    const { id } = await unpack('私有.zip', makeZipArchive([{ name: 'a.txt', body: '甲' }]));
    expect((await post('', { id }, stranger)).statusCode).toBe(404);
    expect((await post('/document', { id, index: 0 }, stranger)).statusCode).toBe(404);
  });

  test('that has not been sent completely is not unpacked', async () => {
    const bytes = makeZipArchive([{ name: 'a.txt', body: '甲' }]);
    const creation = await app.inject(createUploadRequest(bytes.length, '半.zip', owner));
    const url = String(creation.headers.location);
    await app.inject(uploadPartRequest(url, 0, bytes.subarray(0, 20), owner));
    expect((await post('', { id: path.posix.basename(url) })).statusCode).toBe(409);
    expect((await app.inject(uploadStatusRequest(url, owner))).headers['upload-offset']).toBe('20');
  });
});

describe('a malicious or damaged archive', () => {
  const bomb = () => makeZipArchive([{ name: 'a.txt', body: Buffer.alloc(20 * 1024 * 1024) }]);
  test.each([
    ['that expands by more than its ratio', bomb, '压缩包展开后过大，无法处理'],
    [
      'whose file is larger than it declares',
      () => makeZipArchive([{ name: 'a.txt', body: Buffer.alloc(1024 * 1024, 'a'), declaredSize: 10 }]),
      null,
    ],
    [
      'of more than 2000 files',
      () => makeZipArchive(Array.from({ length: 2_001 }, (_, at) => ({ name: `${at}.txt`, body: 'a' }))),
      '压缩包里的文件过多（最多 2000 个），请分成几个压缩包',
    ],
    [
      'that is encrypted',
      () => makeZipArchive([{ name: 'a.txt', body: '甲', isEncrypted: true }]),
      '压缩包已加密，请在本机解开后上传',
    ],
    [
      'that ends early',
      () => makeZipArchive([{ name: 'a.txt', body: '甲' }]).subarray(0, -30),
      '压缩包已损坏或不完整，无法打开',
    ],
    ['without files', () => makeZipArchive([{ name: '空/', body: '' }]), '压缩包里没有文件'],
    ['that is no archive', () => Buffer.from('just text'), '文件的内容不是 ZIP、RAR 或 7z 压缩包'],
  ])('%s is rejected with its reason, and nothing of it is kept', async (_, makeBytes, message) => {
    const { status, message: answer, entries, id } = await unpack('坏.zip', makeBytes());
    // The directory is only wrong about this file.
    if (message === null) return expect(entries).toMatchObject([{ problem: 'damaged' }]);
    expect([status, answer]).toEqual([422, message]);
    expect(await listStoredFiles(id)).toEqual([]);
    expect(await countRows(ctx.db, uploads, eq(uploads.id, id))).toBe(0);
  });

  test('with some encrypted files lists them as such', async () => {
    const { entries } = await unpack(
      '半密.zip',
      makeZipArchive([
        { name: 'a.txt', body: '甲', isEncrypted: true },
        { name: 'b.txt', body: '乙' },
      ]),
    );
    expect(entries.map(({ problem }) => problem)).toEqual(['encrypted', null]);
  });
});

describe('the limits of uploads', () => {
  test('apply to each document of an archive', async () => {
    await setSetting(ctx, 'security.max_document_size', '1');
    await setSetting(ctx, 'security.document_allowed_ext', '.txt');
    const random = Buffer.from(Array.from({ length: 1024 * 1024 + 1 }, () => 32 + Math.floor(Math.random() * 90)));
    const { entries } = await unpack(
      '限.zip',
      makeZipArchive([
        { name: '大.txt', body: random },
        { name: '小.txt', body: '甲' },
        { name: '页.html', body: '<p>甲</p>' },
      ]),
    );
    expect(entries.map(({ problem }) => problem)).toEqual(['tooLarge', null, 'unsupported']);
  });

  test('on open uploads apply to an archive and to its unpacked documents', async () => {
    await setSetting(ctx, 'security.max_document_size', '1');
    await setSetting(ctx, 'security.max_open_upload_size', '1');
    const { headers: member } = await newMember(ctx, [uploaderRole]);
    const response = await app.inject(createUploadRequest(1024 * 1024 + 1, '大.zip', member));
    expect(response.statusCode).toBe(413);
  });

  test('reject an archive of a user who may not upload', async () => {
    const { headers } = await newMember(ctx, []);
    const response = await app.inject(createUploadRequest(10, '资料.zip', headers));
    expect(response.statusCode).toBe(403);
  });
});

const samples = path.join(projectRoot, '../shared/samples');
const hasPrograms = (await isSandboxAvailable()) && (await findProgram('bsdtar')) !== null;
/** Skipped where the folder of samples beside the checkout is missing. */
test.runIf(existsSync(samples) && hasPrograms).each(['rar/test-documents.rar', '7z/test-documents.7z'])(
  'the sample %s is unpacked, and a part of it is rejected as damaged',
  async (name) => {
    const bytes = await readFile(path.join(samples, name));
    const { entries, id } = await unpack(path.basename(name), bytes);
    expect(entries.map(({ path: entryPath }) => entryPath)).toContain('test-documents/testPDF.pdf');
    const pdf = entries.find(({ path: entryPath }) => entryPath.endsWith('.pdf'));
    expect((await post('/document', { id, index: pdf?.index })).statusCode).toBe(200);
    const damagedUpload = await unpack(path.basename(name), bytes.subarray(0, bytes.length / 2));
    expect([damagedUpload.status, damagedUpload.message]).toEqual([422, '压缩包已损坏或不完整，无法打开']);
  },
);

const sevenZip = hasPrograms ? await findProgram('7z') : null;
test.runIf(sevenZip).each([
  ['whose files are encrypted', []],
  ['whose directory is encrypted', ['-mhe=on']],
])('a 7z %s is rejected as encrypted', async (_, options) => {
  const archiveFolder = await mkdtemp(path.join(tmpdir(), 'douku-7z-'));
  afterAll(() => rm(archiveFolder, { recursive: true }));
  await writeFile(path.join(archiveFolder, 'a.txt'), '甲');
  await promisify(execFile)(sevenZip ?? '', ['a', '-psecret', ...options, 'a.7z', 'a.txt'], { cwd: archiveFolder });
  const { status, message } = await unpack('密.7z', await readFile(path.join(archiveFolder, 'a.7z')));
  expect([status, message]).toEqual([422, '压缩包已加密，请在本机解开后上传']);
});
