import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { publishGolden, relevanceMetrics, runGoldenQueries } from './golden-queries.fixture.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import { searchEnv } from './search-engine.fixture.ts';

const { app, ctx } = await testApp({ env: searchEnv() });

test('at least 95 % of the golden queries rank the expected document and page first', async () => {
  await publishGolden(ctx);
  await indexQueuedDocuments(ctx);
  const rankedQueries = await runGoldenQueries(async (wd) => {
    const answer = await app.inject({ url: '/api/v1/document/search', query: { wd } });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  });
  const { queries, ndcg, hit_at_1, page_at_1 } = relevanceMetrics(rankedQueries);
  const missedQueries = rankedQueries.filter(({ rank, isPageBest }) => rank !== 1 || !isPageBest);
  const failures = JSON.stringify(missedQueries, null, 1);
  expect(queries).toBeGreaterThanOrEqual(120);
  expect(ndcg, failures).toBeGreaterThanOrEqual(0.95);
  expect(hit_at_1, failures).toBeGreaterThanOrEqual(0.95);
  expect(page_at_1, failures).toBeGreaterThanOrEqual(0.95);
});
