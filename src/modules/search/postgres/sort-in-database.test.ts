import { expect, test } from 'vitest';
import { documents } from '#modules/document/document.table.ts';
import { testApp } from '#testing/test-app.ts';
import { publishText } from '../search.fixture.ts';
import { type DatabaseSort, DEFAULT_LIMITS, sortInDatabase } from './sort-in-database.ts';

const { ctx } = await testApp();
const allIds: number[] = [];
for (let at = 0; at < 24; at += 1) {
  // Every second document has the same view count as the one before.
  const view_count = 100 - (at >> 1);
  const counts = { view_count, download_count: at, favorite_count: at % 5, score: at % 7 };
  allIds.push(await publishText(ctx, { title: `文档 ${at}`, pages: ['一页'], ...counts }));
}

const idSets = {
  'at the top': allIds.slice(0, 10),
  'spread out': allIds.filter((_, at) => at % 4 === 3),
  'at the end': allIds.slice(-8),
  'mostly at the end': [...allIds.slice(0, 2), ...allIds.slice(-6)],
};
/** Limits small enough that these few documents take the batch-reading path. */
const smallLimits = { maxSorted: 3, batchSize: 4, maxBatches: 2 };

test.each(
  Object.entries(idSets).flatMap(([place, ids]) => [3, ids.length, 50].map((limit) => ({ where: place, ids, limit }))),
)('sortInDatabase returns the first $limit of the ids that lie $where in the sort order', async (each) => {
  const rows = await ctx.db.select().from(documents);
  for (const sort of ['view_count', 'download_count', 'favorite_count', 'score'] as const) {
    const expected = rows
      .filter(({ id }) => each.ids.includes(id))
      .sort((a, b) => b[sort] - a[sort] || b.id - a.id)
      .map(({ id }) => id)
      .slice(0, each.limit);
    const request = { ids: each.ids, limit: each.limit, sort: sort satisfies DatabaseSort };
    expect(await sortInDatabase(ctx, request, smallLimits), sort).toEqual(expected);
    expect(await sortInDatabase(ctx, request, DEFAULT_LIMITS), sort).toEqual(expected);
  }
});
