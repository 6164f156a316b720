import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { addDocument, convert, newBranch, newUploader } from '#modules/document/document.fixture.ts';
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
const [mathematics, cooking] = [await newBranch(ctx), await newBranch(ctx)];

const algebra = '矩阵的特征值与特征向量，行列式，线性方程组，向量空间，正交变换，二次型。';
const calculus = '极限、导数与微分，定积分，级数的收敛，偏导数，多元函数，泰勒公式。';
const recipe = '红烧肉：五花肉切块，冰糖炒糖色，生抽老抽料酒，八角桂皮，小火慢炖。';

async function keysOf(id: number) {
  const [row] = await ctx.db
    .select({ content: renditions })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.content_id))
    .where(eq(documents.id, id));
  if (!row) throw new Error(`document ${id} has no content`);
  return derivedKeys(row.content);
}

/** A converted document with this text. */
async function write(title: string, text: string, category_id = mathematics): Promise<number> {
  const { id } = await addDocument(ctx, author, { category_id, title });
  await ctx.storage.put((await keysOf(id)).text, Buffer.from(text));
  await convert(ctx, id);
  return id;
}
const work = () => indexKeywords.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
const related = async (id: number, headers: Headers = {}): Promise<string[]> =>
  (await app.inject({ url: `/api/v1/document/related?id=${id}`, headers }))
    .json()
    .document.map(({ title }: { title: string }) => title);

let book = 0;
beforeAll(async () => {
  book = await write('线性代数讲义', algebra);
  await write('高等数学讲义', calculus);
  await write('考研数学一', `${algebra}${calculus}`);
  await write('矩阵与厨房', `${algebra}也讲几句做菜。`, cooking);
  await write('家常菜', recipe, cooking);
  await work();
});

describe('documents like another', () => {
  test('are found by their text wherever they stand, before those of the same category', async () => {
    const titles = await related(book);
    // As much in common: that of the same category first; then those with nothing but the category.
    expect(titles).toEqual(['考研数学一', '矩阵与厨房', '高等数学讲义']);
  });

  test('are not shown on a site that does not want them', async () => {
    await setSetting(ctx, 'security.document_related_duration', '0');
    expect(await related(book)).toEqual([]);
    await setSetting(ctx, 'security.document_related_duration', '7');
    expect(await related(book)).not.toEqual([]);
  });

  test('are only those the caller may see', async () => {
    const id = await write('内部线性代数', algebra);
    await work();
    const set = (change: string) => pool.query(`update documents set ${change} where id = $1`, [id]);
    const seen = async (headers: Headers = {}) => (await related(book, headers)).includes('内部线性代数');
    const member = await newMember(ctx);
    expect(await seen()).toBe(true);
    await set('visibility = 1');
    expect([await seen(), await seen(member.headers)]).toEqual([false, true]);
    await set('visibility = 2');
    expect([await seen(member.headers), await seen(author.headers)]).toEqual([false, true]);
    for (const hidden of ['visibility = 0, status = 4', 'status = 6', 'status = 3', `status = 2, deleted_at = now()`]) {
      await set(hidden);
      expect([hidden, await seen(), await seen(member.headers)]).toEqual([hidden, false, false]);
    }
    expect((await app.inject({ url: `/api/v1/document/related?id=${id}` })).statusCode).toBe(404);
  });

  test('follow a new title, and are at most ten', async () => {
    const id = await write('无题', '。');
    for (let at = 0; at < 12; at += 1) await write(`世界杯足球 第 ${at} 场`, '足球 射门 守门员 点球', cooking);
    await work();
    const before = await related(id);
    await pool.query(`update documents set title = '世界杯足球点球' where id = $1`, [id]);
    await work();
    const titles = await related(id);
    expect(titles).toHaveLength(10);
    expect(titles.every((title) => title.startsWith('世界杯足球'))).toBe(true);
    expect(titles).not.toEqual(before);
  });

  test('are not the same file once more', async () => {
    const bytes = Buffer.from('%PDF-1.7\n% same\n%%EOF\n');
    const made = await Promise.all(
      [1, 2].map((at) => addDocument(ctx, author, { category_id: cooking, title: `重复的菜谱 ${at}`, bytes })),
    );
    const [first = { id: 0 }] = made;
    await convert(ctx, first.id);
    await work();
    expect(await related(first.id)).not.toContain('重复的菜谱 2');
  });
});

test('a document that cannot be read holds up none behind it, and is tried again', async () => {
  const broken = await write('读不出的讲义', recipe);
  const behind = await write('线性代数习题', algebra);
  const { text } = await keysOf(broken);
  const read: typeof ctx.storage.read = async (key, most) => {
    if (key === text) throw new Error('EIO');
    return ctx.storage.read(key, most);
  };
  const log = { ...ctx.log, error: vi.fn() };
  const context = { ...ctx, log, storage: { ...ctx.storage, read } };
  await indexKeywords.run(context, {}, { signal: new AbortController().signal, attempt: 1 });
  const waiting = async () => (await ctx.db.select().from(relatedTermsQueue)).map(({ document_id }) => document_id);
  expect(log.error).toHaveBeenCalledOnce();
  expect(await related(behind)).toContain('线性代数讲义');
  await work();
  expect(await waiting()).toEqual([broken]);
  await ctx.db.update(relatedTermsQueue).set({ retry_at: sql`now()` });
  await work();
  expect(await waiting()).toEqual([]);
});

test('the telling words of a document are those of its title and what its text has more of than others', async () => {
  const words = await extractKeywords('线性代数讲义', `${algebra} 2026 1. the of and`);
  expect(words.slice(0, 2)).toEqual(['线性代数', '讲义']);
  expect(words).toEqual(expect.arrayContaining(['特征向量', '行列式', '正交变换']));
  expect(words.some((word) => /^\d/.test(word) || word === 'the')).toBe(false);
});
