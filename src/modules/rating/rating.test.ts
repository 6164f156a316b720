import { beforeEach, expect, test } from 'vitest';
import { createUserWithCredit, loginHeaders, range } from '#modules/credit/credit.fixture.ts';
import { newDocument } from '#modules/favorite/favorite.fixture.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, pool } = await testApp();
let document: Awaited<ReturnType<typeof newDocument>>;
beforeEach(async () => {
  document = await newDocument(ctx);
});
const newReader = async () => loginHeaders(ctx, await createUserWithCredit(ctx));
const rate = (score: unknown, headers: { authorization?: string }) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/document/score',
    headers,
    payload: { document_id: document.id, score },
  });
const shown = async () => {
  const { score, score_count } = (await app.inject({ url: `/api/v1/document?id=${document.id}` })).json();
  return [score, score_count];
};

test('there is no average before the first rating, then a real one that follows every change', async () => {
  expect(await shown()).toEqual([0, 0]);
  const [one, other] = [await newReader(), await newReader()];
  expect((await rate(500, one)).json()).toEqual({ score: 500, score_count: 1 });
  expect((await rate(200, other)).json()).toEqual({ score: 350, score_count: 2 });
  expect((await rate(100, one)).json()).toEqual({ score: 150, score_count: 2 });
  expect(await shown()).toEqual([150, 2]);
  const own = await app.inject({
    url: `/api/v1/document/score?document_id=${document.id}`,
    headers: one,
  });
  expect(own.json()).toMatchObject({ document_id: document.id, score: 100 });
});

test.each([0, 50, 150, 600, -100, '500', 4.5, null])('%s is no number of stars', async (score) => {
  expect((await rate(score, await newReader())).statusCode).toBe(400);
  expect(await shown()).toEqual([0, 0]);
});

test('40 readers who rate together, each twice, give 40 ratings and their average', async () => {
  const readers = await Promise.all(range(40).map(newReader));
  const answers = await Promise.all(
    readers.flatMap((headers, at) => [rate(100, headers), rate(((at % 5) + 1) * 100, headers)]),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const { rows } = await pool.query(
    `select count(*)::int as number, round(avg(score))::int as average, sum(score)::int as total
     from document_scores where document_id = $1`,
    [document.id],
  );
  expect(rows[0].number).toBe(40);
  expect(await shown()).toEqual([rows[0].average, 40]);
  await pool.query('delete from users using document_scores s where s.user_id = users.id and s.document_id = $1', [
    document.id,
  ]);
  expect(await shown()).toEqual([0, 0]);
});

test('the author and those who may not see a document do not rate it', async () => {
  const own = await rate(500, document.author.headers);
  expect([own.statusCode, own.json().message]).toEqual([403, '不能给自己的文档评分']);
  await pool.query('update documents set visibility = 2 where id = $1', [document.id]);
  expect((await rate(500, await newReader())).statusCode).toBe(404);
  expect((await rate(500, {})).statusCode).toBe(401);
});
