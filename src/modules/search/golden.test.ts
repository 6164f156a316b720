import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { judge, measuresOf, publishGolden } from './golden.fixture.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import { searchEnv } from './search-engine.fixture.ts';

const { app, ctx } = await testApp({ env: searchEnv() });

test('Chinese questions find the right document first, and its right page', async () => {
  await publishGolden(ctx);
  await indexQueuedDocuments(ctx);
  const judged = await judge(async (wd) => {
    const answer = await app.inject({ url: '/api/v1/document/search', query: { wd } });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  });
  const { queries, ndcg, hit_at_1, page_at_1 } = measuresOf(judged);
  const missed = judged.filter(({ rank, isPageBest }) => rank !== 1 || !isPageBest);
  const told = JSON.stringify(missed, null, 1);
  expect(queries).toBeGreaterThanOrEqual(120);
  expect(ndcg, told).toBeGreaterThanOrEqual(0.95);
  expect(hit_at_1, told).toBeGreaterThanOrEqual(0.95);
  expect(page_at_1, told).toBeGreaterThanOrEqual(0.95);
});
