import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { count, eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { listBanners } from '#modules/banner/banner.ts';
import { addRendition, waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { detectFormat, documentExtensions } from '#modules/conversion/detect-format.ts';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { listFriendLinks } from '#modules/friend-link/friend-link.ts';
import { getSettings, setSetting } from '#modules/settings/settings.ts';
import type { UserContext } from '#platform/server/context.ts';
import { findProgram } from '#platform/server/programs.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/isolation.ts';
import { testApp } from '#testing/test-app.ts';
import type { DemoDocument } from './demo-document.ts';
import { dressFront } from './demo-front.ts';
import { runLife } from './demo-life.ts';
import { demoUsers } from './demo-users.ts';
import { bannerTexts } from './library/front.ts';
import { library } from './library/library.ts';
import { makeFiles } from './make-files.ts';
import { countForeign, runDemo, waitForConversion } from './run-demo.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const idle = await testApp();
const folder = await mkdtemp(path.join(tmpdir(), 'douku-demo-'));
afterAll(() => rm(folder, { recursive: true }));

const isolates = await isSandboxAvailable();
const hasOffice = isolates && (await findProgram('soffice')) !== null;
const has7z = isolates && (await findProgram('7z')) !== null;
const one = (ext: string) => library.find((each) => each.ext === ext) as DemoDocument;

/** What the demo writes itself, with words that must be found in what it becomes. */
const own: [ext: string, words: string, isReadable: boolean][] = [
  ['docx', '等价代换：只能用在乘除的因子上', hasOffice],
  ['ppsx', '四对容易混的', hasOffice],
  ['xlsx', '燕麦拿铁', true],
  ['xls', '十二月', true],
  ['et', '王子涵', true],
  ['ods', '发汗解表，宣肺平喘', true],
  ['csv', '稀有气体', true],
  ['tsv', '看 Retry-After', true],
  ['txt', '老街的尽头有一间修表铺', true],
  ['epub', '等得故人归', true],
  ['umd', '精卫', true],
  ['chm', '删之前先列出来看一眼', has7z],
];

test('the library has every type of document, in a good number, each with its own title', () => {
  expect(new Set(library.map(({ ext }) => ext))).toEqual(new Set(documentExtensions));
  expect(library.length).toBeGreaterThanOrEqual(60);
  expect(new Set(library.map(({ title }) => title)).size).toBe(library.length);
});

test('what the demo writes itself is recognised and converted to its words', async () => {
  const readable = own.filter(([, , isReadable]) => isReadable);
  const { files } = await makeFiles(
    readable.map(([ext]) => one(ext)),
    folder,
  );
  const added = await Promise.all(
    files.map(async ({ file }) => addRendition(ctx, path.basename(file), await readFile(file))),
  );
  const found = [];
  for (const { id } of added) {
    const content = await waitForRendition(ctx, id);
    expect(content).toMatchObject({ state: 'ready', reason: '' });
    found.push(await text((await ctx.storage.get(derivedKeys(content).text)).stream));
  }
  for (const [index, [, words]] of readable.entries()) expect(found[index]).toContain(words);
});

test('texts keep their letters in every encoding', async () => {
  const texts = library.filter(({ ext }) => ext === 'txt');
  const { files } = await makeFiles(texts, folder);
  const encodings = { 'utf-8': 'utf-8', 'utf-16le': 'utf-16le', gb18030: 'gb18030', big5: 'big5' };
  for (const { document, file } of files) {
    if (document.content.kind !== 'text') throw new Error('not a text');
    const { encoding, text } = document.content;
    const read = new TextDecoder(encodings[encoding]).decode(await readFile(file));
    expect(read).toBe(text.trim().replaceAll('\n', '\r\n'));
  }
  const written = files.map(({ document: { content } }) => content.kind === 'text' && content.encoding);
  expect(new Set(written)).toEqual(new Set(Object.keys(encodings)));
});

test.runIf(hasOffice)('old formats made by LibreOffice are what their names say', async () => {
  const wanted = ['wps', 'pot'].map(one);
  const { files, missing } = await makeFiles(wanted, folder);
  expect(missing).toEqual([]);
  const formats = [];
  for (const { document, file } of files) {
    const bytes = await readFile(file);
    const read = async (start: number, length: number) => bytes.subarray(start, start + length);
    formats.push([document.ext, await detectFormat({ size: bytes.length, read }, document.ext)]);
  }
  expect(formats.sort()).toEqual([
    ['pot', 'ppt'],
    ['wps', 'doc'],
  ]);
});

test('people live in the demo: they follow, rate, keep, talk and complain, once', async () => {
  const some = ['老街的修表匠', '面包配方速查：百分比与克数', '致新来的图书管理员'];
  const { people } = await runDemo(
    ctx,
    library.filter(({ title }) => some.includes(title)),
    () => {},
  );
  await waitForConversion(
    ctx,
    library.filter(({ title }) => some.includes(title)),
    () => {},
  );
  expect(await runLife(ctx, people)).toBe(true);
  const counted = await ctx.db.execute(sql`
    select (select count(*)::int from comments) as comments,
      (select count(*)::int from document_scores) as ratings,
      (select count(*)::int from follows) as follows,
      (select count(*)::int from check_ins) as check_ins,
      (select sum(view_count)::int from documents) as views`);
  const [row] = counted.rows as [Record<string, number>];
  expect(row.comments).toBe(3);
  for (const name of ['ratings', 'follows', 'check_ins', 'views'] as const)
    expect([name, Number(row[name]) > 0]).toEqual([name, true]);
  expect(await runLife(ctx, people)).toBe(false);
});

test('the home page is dressed with banners, words and friends, and what is there stays', async () => {
  const { owners } = await demoUsers(ctx, new Date());
  const host = { ...ctx, user: owners[0] as UserContext['user'] };
  await setSetting(ctx, 'system.recommend_words', '自己的词');
  await dressFront(host);
  const shown = await listBanners(ctx, { page: 1, size: 10 });
  expect(shown.banner.map(({ title }) => title)).toEqual(bannerTexts.map(({ title }) => title));
  for (const { path } of shown.banner) {
    const { width, height } = await sharp(await buffer((await ctx.storage.get(path.slice(1))).stream)).metadata();
    expect([width, height]).toEqual([1920, 640]);
  }
  expect((await listFriendLinks(ctx, {})).total).toBeGreaterThan(2);
  expect((await getSettings(ctx)).system.recommend_words).toEqual(['自己的词']);
  await dressFront(host);
  expect((await listBanners(ctx, { page: 1, size: 10 })).total).toBe(bannerTexts.length);
});

test('a second run adds nothing, and documents of others are counted', async () => {
  const { ctx } = idle;
  const some = ['csv', 'txt', 'umd'].map(one);
  const said: string[] = [];
  const first = await runDemo(ctx, some, (line) => said.push(line));
  expect(first.added.map(({ ext }) => ext).sort()).toEqual(['csv', 'txt', 'umd']);
  expect(said.join('\n')).toContain('示例用户的密码');
  const again = await runDemo(ctx, some, () => {});
  expect(again).toMatchObject({ added: [], known: 3 });
  const rows = await ctx.db.select().from(documents);
  expect(rows).toHaveLength(3);
  const owners = rows.map(({ user_id }) => user_id);
  expect(await countForeign(ctx, owners)).toBe(0);
  const [row] = rows;
  const stranger = await newUploader(ctx);
  await ctx.db
    .update(documents)
    .set({ user_id: stranger.id })
    .where(eq(documents.id, row?.id ?? 0));
  expect(await countForeign(ctx, owners.slice(1))).toBe(1);
  const [{ total } = { total: 0 }] = await ctx.db.select({ total: count() }).from(documents);
  expect(total).toBe(3);
});
