import { expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { categories } from '#modules/category/category.table.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import type { SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv } from './search-engine.fixture.ts';

const { app, ctx, clock } = await testApp({ env: searchEnv() });
// OpenSearch uses its own clock.
clock.now = new Date();
const titlesOf = async (wd: string): Promise<string[]> => {
  const answer = await app.inject({ url: '/api/v1/document/search', query: { wd } });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().document.map(({ title }: SearchHit) => title);
};

test('a search finds a document by a word that occurs only in its description, author name or category', async () => {
  const author = await createUser(ctx, { username: '慕容雪村', password: 'a-password' });
  const [category] = await ctx.db.insert(categories).values({ title: '古籍善本' }).returning({ id: categories.id });
  const pages = ['没有什么特别的一页'];
  await publishText(ctx, { title: '甲', pages, description: '讲述蒸汽机车的保养' });
  await publishText(ctx, { title: '乙', pages, user_id: author.id });
  await publishText(ctx, { title: '丙', pages, category_id: [category?.id ?? 0] });
  await publishText(ctx, { title: '丁', pages });
  await indexQueuedDocuments(ctx);
  expect(await titlesOf('蒸汽机车')).toEqual(['甲']);
  expect(await titlesOf('慕容雪村')).toEqual(['乙']);
  expect(await titlesOf('善本')).toEqual(['丙']);
});

test('among equally relevant documents, popular and recent ones rank first', async () => {
  const day = 86_400_000;
  const ago = (days: number) => new Date(clock.now.getTime() - days * day).toISOString();
  const { id: user_id } = await newMember(ctx);
  // Published best first, because without other criteria the newest id ranks first.
  const common = { user_id, pages: ['同样的一页，讲的是萤火虫。'] };
  await publishText(ctx, {
    ...common,
    title: '常读的夜虫',
    created_at: ago(400),
    view_count: 900,
    download_count: 80,
    favorite_count: 40,
    score: 480,
  });
  await publishText(ctx, { ...common, title: '新来的夜虫', created_at: ago(1) });
  await publishText(ctx, { ...common, title: '旧有的夜虫', created_at: ago(400) });
  await publishText(ctx, { ...common, title: '更旧的夜虫', created_at: ago(3_000) });
  await indexQueuedDocuments(ctx);
  const order = ['常读的夜虫', '新来的夜虫', '旧有的夜虫', '更旧的夜虫'];
  expect(await titlesOf('萤火虫')).toEqual(order);
  // A match in the title outweighs popularity and age.
  await publishText(ctx, { ...common, title: '萤火虫图鉴', created_at: ago(3_000) });
  await indexQueuedDocuments(ctx);
  expect(await titlesOf('萤火虫')).toEqual(['萤火虫图鉴', ...order]);
});
