import { expect, test } from 'vitest';
import { documents } from '#modules/document/document.table.ts';
import { testApp } from '#testing/test-app.ts';
import { publishText } from '../search.fixture.ts';
import { BOUNDS, type DatabaseSort, sortInDatabase } from './sort-in-database.ts';

const { ctx } = await testApp();
const all: number[] = [];
for (let at = 0; at < 24; at += 1) {
  // Every second one shares its number of views with the one before.
  const view_count = 100 - (at >> 1);
  const counts = { view_count, download_count: at, favorite_count: at % 5, score: at % 7 };
  all.push(await publishText(ctx, { title: `文档 ${at}`, pages: ['一页'], ...counts }));
}

const found = {
  'in front': all.slice(0, 10),
  'here and there': all.filter((_, at) => at % 4 === 3),
  'far behind': all.slice(-8),
  'few in front, most behind': [...all.slice(0, 2), ...all.slice(-6)],
};
/** As small as these documents are few: ordered by views, the first eight are walked through. */
const small = { few: 3, walked: 4, steps: 2 };

test.each(Object.entries(found).flatMap(([where, ids]) => [3, ids.length, 50].map((limit) => ({ where, ids, limit }))))(
  'the first $limit of those $where come in their order, none is left out',
  async (each) => {
    const rows = await ctx.db.select().from(documents);
    for (const sort of ['view_count', 'download_count', 'favorite_count', 'score'] as const) {
      const expected = rows
        .filter(({ id }) => each.ids.includes(id))
        .sort((one, other) => other[sort] - one[sort] || other.id - one.id)
        .map(({ id }) => id)
        .slice(0, each.limit);
      const ask = { ids: each.ids, limit: each.limit, sort: sort satisfies DatabaseSort };
      expect(await sortInDatabase(ctx, ask, small), sort).toEqual(expected);
      expect(await sortInDatabase(ctx, ask, BOUNDS), sort).toEqual(expected);
    }
  },
);
