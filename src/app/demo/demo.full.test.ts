import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { count, eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { listBanners } from '#modules/banner/banner.ts';
import { addRendition, waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { detectFormat } from '#modules/conversion/detect-format.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { listFriendLinks } from '#modules/friend-link/friend-link.ts';
import { getSettings, setSetting } from '#modules/settings/settings.ts';
import type { UserContext } from '#platform/server/context.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addActivity } from './add-activity.ts';
import { addDocuments, countOtherDocuments, waitForConversions } from './add-documents.ts';
import { createDemoUsers } from './create-demo-users.ts';
import { createFiles } from './create-files.ts';
import type { DemoDocument } from './demo-document.ts';
import { readHomePage } from './read-demo-data.ts';
import { readDemoDocuments } from './read-demo-documents.ts';
import { setUpHomePage } from './set-up-home-page.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const idle = await testApp();
const folder = await mkdtemp(path.join(tmpdir(), 'douku-demo-'));
afterAll(() => rm(folder, { recursive: true }));

const isolates = await isSandboxAvailable();
const hasOffice = isolates && (await findProgram('soffice')) !== null;
const hasCalibre = (await findProgram('ebook-convert')) !== null;
const has7z = isolates && (await findProgram('7z')) !== null;
const demoDocuments = readDemoDocuments();
function documentWith(extension: string, text = ''): DemoDocument {
  const document = demoDocuments.find(
    (each) => each.extension === extension && JSON.stringify(each.content).includes(text),
  );
  if (!document) throw new Error(`no demo document ${extension} contains ${text}`);
  return document;
}

const expectedTexts: [extension: string, text: string, isReadable: boolean][] = [
  ['docx', '等价代换：只能用在乘除的因子上', hasOffice],
  ['ppsx', '四对容易混的', hasOffice],
  ['xlsx', '燕麦拿铁', true],
  ['xls', '十二月', true],
  ['et', '王子涵', true],
  ['ods', '发汗解表，宣肺平喘', true],
  ['csv', '稀有气体', true],
  ['tsv', '看 Retry-After', true],
  ['txt', '老街的尽头有一间修表铺', true],
  ['epub', '等得故人归', hasCalibre],
  ['umd', '精卫', true],
  ['chm', '删之前先列出来看一眼', has7z],
];

const MAIN_EXTENSIONS =
  'pdf doc docx rtf wps odt dot ppt pptx pps ppsx dps odp pot xls xlsx et ods csv tsv txt epub mobi chm umd'.split(' ');

test('the demo has at least 60 documents with distinct titles, and every extension of the main formats', () => {
  expect(new Set(demoDocuments.map(({ extension }) => extension))).toEqual(new Set(MAIN_EXTENSIONS));
  expect(demoDocuments.length).toBeGreaterThanOrEqual(60);
  expect(new Set(demoDocuments.map(({ title }) => title)).size).toBe(demoDocuments.length);
});

test('the created files are converted to documents that contain the text of their sources', async () => {
  const readableTexts = expectedTexts.filter(([, , isReadable]) => isReadable);
  const { files } = await createFiles(
    readableTexts.map(([extension, expected]) => documentWith(extension, expected)),
    folder,
  );
  const addedRenditions = await Promise.all(
    files.map(async ({ file }) => addRendition(ctx, path.basename(file), await readFile(file))),
  );
  const texts = [];
  for (const { id } of addedRenditions) {
    const rendition = await waitForRendition(ctx, id);
    expect(rendition).toMatchObject({ state: 'ready', reason: '' });
    texts.push(await text((await ctx.storage.get(renditionStorageKeys(rendition).text)).stream));
  }
  for (const [index, [, expected]] of readableTexts.entries()) expect(texts[index]).toContain(expected);
});

test('plain text files contain the same characters in every encoding', async () => {
  const texts = demoDocuments.filter(({ extension }) => extension === 'txt');
  const { files } = await createFiles(texts, folder);
  const encodings = { 'utf-8': 'utf-8', 'utf-16le': 'utf-16le', gb18030: 'gb18030', big5: 'big5' };
  for (const { document, file } of files) {
    if (document.content.kind !== 'text') throw new Error('not a text');
    const { encoding, text } = document.content;
    const decodedText = new TextDecoder(encodings[encoding]).decode(await readFile(file));
    expect(decodedText).toBe(text.trim().replaceAll('\n', '\r\n'));
  }
  const writtenEncodings = files.map(({ document: { content } }) => content.kind === 'text' && content.encoding);
  expect(new Set(writtenEncodings)).toEqual(new Set(Object.keys(encodings)));
});

test.runIf(hasOffice)('binary formats exported by LibreOffice have the format of their extension', async () => {
  const { files, missingExtensions } = await createFiles(
    ['wps', 'pot'].map((extension) => documentWith(extension)),
    folder,
  );
  expect(missingExtensions).toEqual([]);
  const formats = [];
  for (const { document, file } of files) {
    const bytes = await readFile(file);
    const read = async (start: number, length: number) => bytes.subarray(start, start + length);
    formats.push([document.extension, await detectFormat({ size: bytes.length, read }, document.extension)]);
  }
  expect(formats.sort()).toEqual([
    ['pot', 'ppt'],
    ['wps', 'doc'],
  ]);
});

test('the demo users follow, rate, collect, comment, check in and report once', async () => {
  const titles = ['老街的修表匠', '面包配方速查：百分比与克数', '致新来的图书管理员'];
  const selectedDocuments = demoDocuments.filter(({ title }) => titles.includes(title));
  const { users } = await addDocuments(ctx, selectedDocuments, () => {});
  await waitForConversions(ctx, selectedDocuments, () => {});
  expect(await addActivity(ctx, users)).toBe(true);
  const counts = await ctx.db.execute(sql`
    select (select count(*)::int from comments) as comments,
      (select count(*)::int from document_scores) as ratings,
      (select count(*)::int from follows) as follows,
      (select count(*)::int from check_ins) as check_ins,
      (select sum(view_count)::int from documents) as views`);
  const [row] = counts.rows as [Record<string, number>];
  expect(row.comments).toBe(3);
  for (const name of ['ratings', 'follows', 'check_ins', 'views'] as const)
    expect([name, Number(row[name]) > 0]).toEqual([name, true]);
  expect(await addActivity(ctx, users)).toBe(false);
});

test('the home page gets banners, friend links and synonyms, and existing recommended words stay', async () => {
  const { users } = await createDemoUsers(ctx, new Date());
  const userCtx = { ...ctx, user: users[0] as UserContext['user'] };
  const titles = readHomePage().banners.map(({ title }) => title);
  await setSetting(ctx, 'system.recommend_words', '自己的词');
  await setUpHomePage(userCtx);
  const list = await listBanners(ctx, { page: 1, size: 10 });
  expect(list.banner.map(({ title }) => title)).toEqual(titles);
  for (const { path } of list.banner) {
    const { width, height } = await sharp(await buffer((await ctx.storage.get(path.slice(1))).stream)).metadata();
    expect([width, height]).toEqual([1920, 640]);
  }
  expect((await listFriendLinks(ctx, {})).total).toBeGreaterThan(2);
  expect((await getSettings(ctx)).system.recommend_words).toEqual(['自己的词']);
  await setUpHomePage(userCtx);
  expect((await listBanners(ctx, { page: 1, size: 10 })).total).toBe(titles.length);
});

test('a second run adds no document, and documents of other users are counted', async () => {
  const { ctx } = idle;
  const selectedDocuments = ['csv', 'txt', 'umd'].map((extension) => documentWith(extension));
  const printedLines: string[] = [];
  const first = await addDocuments(ctx, selectedDocuments, (line) => printedLines.push(line));
  expect(first.addedDocuments.map(({ extension }) => extension).sort()).toEqual(['csv', 'txt', 'umd']);
  expect(printedLines.join('\n')).toContain('示例用户的密码');
  const second = await addDocuments(ctx, selectedDocuments, () => {});
  expect(second).toMatchObject({ addedDocuments: [], existingCount: 3 });
  const rows = await ctx.db.select().from(documents);
  expect(rows).toHaveLength(3);
  const owners = rows.map(({ user_id }) => user_id);
  expect(await countOtherDocuments(ctx, owners)).toBe(0);
  const [row] = rows;
  const otherUser = await newUploader(ctx);
  await ctx.db
    .update(documents)
    .set({ user_id: otherUser.id })
    .where(eq(documents.id, row?.id ?? 0));
  expect(await countOtherDocuments(ctx, owners.slice(1))).toBe(1);
  const [{ total } = { total: 0 }] = await ctx.db.select({ total: count() }).from(documents);
  expect(total).toBe(3);
});
