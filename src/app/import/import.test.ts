import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { loadCategories } from '#modules/category/category.ts';
import { newUploader } from '#modules/document/document.fixture.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import type { UserContext } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { planImport } from './plan-import.ts';
import { runImport } from './run-import.ts';

const { ctx } = await testApp();
const folder = await mkdtemp(path.join(tmpdir(), 'douku-import-'));
afterAll(() => rm(folder, { recursive: true }));

const put = async (name: string, text: string) => {
  await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
};
await put('总目.txt', '全部书目');
await put('文学/诗/春.txt', '春眠不觉晓');
await put('文学/诗/秋.txt', '空山新雨后');
await put('文学/坏的.pdf', '这不是 PDF');
await put('文学/录音.mp3', 'x');
await put('文学/.隐藏.txt', 'x');

const owner = await newUploader(ctx);
const user = { ...owner, isRoot: false, permissions: new Set<string>(), sessionId: 0 };
const importer: UserContext = { ...ctx, user };
const run = async (progressNames: string[] = []) =>
  runImport(importer, await planImport(folder, ['馆藏']), {
    folder,
    price: 3,
    onProgress: (_, { name }) => progressNames.push(name),
  });

test('planImport lists documents with their categories, and the skipped files', async () => {
  const { files, skipped } = await planImport(folder, ['馆藏']);
  expect(files.map(({ name, categories }) => [name, categories.join('/')])).toEqual([
    ['文学/坏的.pdf', '馆藏/文学'],
    ['文学/诗/春.txt', '馆藏/文学/诗'],
    ['文学/诗/秋.txt', '馆藏/文学/诗'],
    ['总目.txt', '馆藏'],
  ]);
  expect(skipped).toEqual(['文学/录音.mp3']);
});

test('runImport creates categories and documents from a folder, and continues after an invalid file', async () => {
  const report = await run();
  expect(report).toEqual({
    imported: 3,
    existing: 0,
    failed: [{ name: '文学/坏的.pdf', reason: '文件扩展名是 .pdf，内容却是纯文本' }],
  });
  const [spring] = await ctx.db.select().from(documents).where(eq(documents.title, '春'));
  expect(spring).toMatchObject({ user_id: owner.id, price: 3, ext: '.txt', status: 0 });
  const categoryRows = await ctx.db
    .select()
    .from(documentCategories)
    .where(eq(documentCategories.document_id, spring?.id ?? 0));
  const titles = new Map((await loadCategories(ctx.db)).map(({ id, title }) => [id, title]));
  expect(categoryRows.map(({ category_id }) => titles.get(category_id)).sort()).toEqual(['文学', '诗', '馆藏'].sort());
});

test('runImport imports only new files when it runs again, also without its journal', async () => {
  await put('文学/诗/冬.txt', '独钓寒江雪');
  expect(await run()).toMatchObject({ imported: 1, existing: 3 });
  await rm(path.join(ctx.config.dataDir, 'import'), { recursive: true });
  expect(await run()).toMatchObject({ imported: 0, existing: 4 });
});

test('runImport reports a file that cannot be read and imports the others', async () => {
  await put('文学/消失.txt', '转眼不见');
  await put('文学/还在.txt', '一直都在');
  const plan = await planImport(folder, ['馆藏']);
  await rm(path.join(folder, '文学/消失.txt'));
  const report = await runImport(importer, plan, { folder, price: 0, onProgress: () => {} });
  expect(report).toMatchObject({ imported: 1 });
  expect(report.failed).toContainEqual({ name: '文学/消失.txt', reason: '文件已不存在' });
});
