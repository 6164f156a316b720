import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import {
  addDocument,
  changeDocument,
  createCategoryChain,
  newUploader,
  setConversionState,
} from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { indexKeywords } from './index-keywords.ts';
import { extractKeywords } from './keywords.ts';
import { relatedTermsQueue } from './related.table.ts';

type Headers = { authorization?: string };
const { app, ctx, pool } = await testApp();
const author = await newUploader(ctx);
const [mathematicsCategory, cookingCategory] = [await createCategoryChain(ctx), await createCategoryChain(ctx)];

const algebra = '矩阵的特征值与特征向量，行列式，线性方程组，向量空间，正交变换，二次型。';
const calculus = '极限、导数与微分，定积分，级数的收敛，偏导数，多元函数，泰勒公式。';
const recipe = '红烧肉：五花肉切块，冰糖炒糖色，生抽老抽料酒，八角桂皮，小火慢炖。';

async function keysOf(id: number) {
  const [row] = await ctx.db
    .select({ rendition: renditions })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(eq(documents.id, id));
  if (!row) throw new Error(`document ${id} has no rendition`);
  return renditionStorageKeys(row.rendition);
}

/** Publishes a converted document with this text. */
async function publish(title: string, text: string, category_id = mathematicsCategory): Promise<number> {
  const { id } = await addDocument(ctx, author, { category_id, title });
  await ctx.storage.put((await keysOf(id)).text, Buffer.from(text));
  await setConversionState(ctx, id);
  return id;
}
const runIndexing = () => indexKeywords.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
const relatedTitles = async (id: number, headers: Headers = {}): Promise<string[]> =>
  (await app.inject({ url: `/api/v1/document/related?id=${id}`, headers }))
    .json()
    .document.map(({ title }: { title: string }) => title);

let book = 0;
beforeAll(async () => {
  book = await publish('线性代数讲义', algebra);
  await publish('高等数学讲义', calculus);
  await publish('考研数学一', `${algebra}${calculus}`);
  await publish('矩阵与厨房', `${algebra}也讲几句做菜。`, cookingCategory);
  await publish('家常菜', recipe, cookingCategory);
  await runIndexing();
});

describe('related documents', () => {
  test('with similar text in any category come before other documents of the same category', async () => {
    const titles = await relatedTitles(book);
    // Equally similar: the same category first. Then documents that share only the category.
    expect(titles).toEqual(['考研数学一', '矩阵与厨房', '高等数学讲义']);
  });

  test('are filled from the deepest category, even when an ancestor was created after it', async () => {
    const [parent = 0, child = 0] = await createCategoryChain(ctx);
    const [newTop = 0] = await createCategoryChain(ctx, 1);
    await pool.query('update categories set parent_id = $1 where id = $2', [newTop, parent]);
    const id = await publish('无题一', '。', [newTop, parent, child]);
    await publish('同一子分类', '。', [newTop, parent, child]);
    await publish('只在顶级分类', '。', [newTop]);
    expect(await relatedTitles(id)).toEqual(['同一子分类']);
  });

  test('are empty when the site setting disables them', async () => {
    await setSetting(ctx, 'security.document_related_duration', '0');
    expect(await relatedTitles(book)).toEqual([]);
    await setSetting(ctx, 'security.document_related_duration', '7');
    expect(await relatedTitles(book)).not.toEqual([]);
  });

  test('contain only documents that the caller may see', async () => {
    const id = await publish('内部线性代数', algebra);
    await runIndexing();
    const set = (values: Parameters<typeof changeDocument>[2]) => changeDocument(ctx, id, values);
    const isListed = async (headers: Headers = {}) => (await relatedTitles(book, headers)).includes('内部线性代数');
    const member = await newMember(ctx);
    expect(await isListed()).toBe(true);
    await set({ visibility: 1 });
    expect([await isListed(), await isListed(member.headers)]).toEqual([false, true]);
    await set({ visibility: 2 });
    expect([await isListed(member.headers), await isListed(author.headers)]).toEqual([false, true]);
    for (const hidingChange of [
      { visibility: 0, status: 4 },
      { status: 6 },
      { status: 3 },
      { status: 2, deleted_at: '2026-02-01T00:00:00Z' },
    ] as const) {
      await set(hidingChange);
      expect([hidingChange, await isListed(), await isListed(member.headers)]).toEqual([hidingChange, false, false]);
    }
    expect((await app.inject({ url: `/api/v1/document/related?id=${id}` })).statusCode).toBe(404);
  });

  test('change with a new title and are limited to ten', async () => {
    const id = await publish('无题', '。');
    for (let at = 0; at < 12; at += 1)
      await publish(`世界杯足球 第 ${at} 场`, '足球 射门 守门员 点球', cookingCategory);
    await runIndexing();
    const before = await relatedTitles(id);
    await changeDocument(ctx, id, { title: '世界杯足球点球' });
    await runIndexing();
    const titles = await relatedTitles(id);
    expect(titles).toHaveLength(10);
    expect(titles.every((title) => title.startsWith('世界杯足球'))).toBe(true);
    expect(titles).not.toEqual(before);
  });

  test('do not contain another document of the same file', async () => {
    const bytes = Buffer.from('%PDF-1.7\n% same\n%%EOF\n');
    const duplicates = await Promise.all(
      [1, 2].map((at) => addDocument(ctx, author, { category_id: cookingCategory, title: `重复的菜谱 ${at}`, bytes })),
    );
    const [first = { id: 0 }] = duplicates;
    await setConversionState(ctx, first.id);
    await runIndexing();
    expect(await relatedTitles(first.id)).not.toContain('重复的菜谱 2');
  });
});

test('keyword extraction skips a document whose text cannot be read and retries it later', async () => {
  const brokenId = await publish('读不出的讲义', recipe);
  const next = await publish('线性代数习题', algebra);
  const { text } = await keysOf(brokenId);
  const read: typeof ctx.storage.read = async (key, maxBytes) => {
    if (key === text) throw new Error('EIO');
    return ctx.storage.read(key, maxBytes);
  };
  const log = { ...ctx.log, error: vi.fn() };
  const context = { ...ctx, log, storage: { ...ctx.storage, read } };
  await indexKeywords.run(context, {}, { signal: new AbortController().signal, attempt: 1 });
  const queuedIds = async () => (await ctx.db.select().from(relatedTermsQueue)).map(({ document_id }) => document_id);
  expect(log.error).toHaveBeenCalledOnce();
  expect(await relatedTitles(next)).toContain('线性代数讲义');
  await runIndexing();
  expect(await queuedIds()).toEqual([brokenId]);
  await ctx.db.update(relatedTermsQueue).set({ retry_at: sql`now()` });
  await runIndexing();
  expect(await queuedIds()).toEqual([]);
});

test('extractKeywords returns the words of the title, then characteristic words of the text, without numbers and stop words', async () => {
  const words = await extractKeywords('线性代数讲义', `${algebra} 2026 1. the of and`);
  expect(words.slice(0, 2)).toEqual(['线性代数', '讲义']);
  expect(words).toEqual(expect.arrayContaining(['特征向量', '行列式', '正交变换']));
  expect(words.some((word) => /^\d/.test(word) || word === 'the')).toBe(false);
});
