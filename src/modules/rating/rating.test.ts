import { beforeEach, expect, test } from 'vitest';
import { createUserWithCredit, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { newDocument } from '#modules/favorite/favorite.fixture.ts';
import { loginHeaders } from '#modules/role/role.fixture.ts';
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
const averageAndCount = async () => {
  const { score, score_count } = (await app.inject({ url: `/api/v1/document?id=${document.id}` })).json();
  return [score, score_count];
};

test('the average score is 0 before the first rating and follows every rating and change', async () => {
  expect(await averageAndCount()).toEqual([0, 0]);
  const [firstReader, secondReader] = [await newReader(), await newReader()];
  expect((await rate(500, firstReader)).json()).toEqual({ score: 500, score_count: 1 });
  expect((await rate(200, secondReader)).json()).toEqual({ score: 350, score_count: 2 });
  expect((await rate(100, firstReader)).json()).toEqual({ score: 150, score_count: 2 });
  expect(await averageAndCount()).toEqual([150, 2]);
  const myRating = await app.inject({
    url: `/api/v1/document/score?document_id=${document.id}`,
    headers: firstReader,
  });
  expect(myRating.json()).toMatchObject({ document_id: document.id, score: 100 });
});

test.each([0, 50, 150, 600, -100, '500', 4.5, null])('the invalid score %s is rejected with 400', async (score) => {
  expect((await rate(score, await newReader())).statusCode).toBe(400);
  expect(await averageAndCount()).toEqual([0, 0]);
});

test('40 readers who concurrently rate twice give 40 ratings and their exact average', async () => {
  const readers = await Promise.all(numbersUpTo(40).map(newReader));
  const responses = await Promise.all(
    readers.flatMap((headers, at) => [rate(100, headers), rate(((at % 5) + 1) * 100, headers)]),
  );
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const { rows } = await pool.query(
    `select count(*)::int as number, round(avg(score))::int as average, sum(score)::int as total
     from document_scores where document_id = $1`,
    [document.id],
  );
  expect(rows[0].number).toBe(40);
  expect(await averageAndCount()).toEqual([rows[0].average, 40]);
  await pool.query('delete from users using document_scores s where s.user_id = users.id and s.document_id = $1', [
    document.id,
  ]);
  expect(await averageAndCount()).toEqual([0, 0]);
});

test('a rating by the author, by a visitor or for a hidden document is rejected', async () => {
  const byAuthor = await rate(500, document.author.headers);
  expect([byAuthor.statusCode, byAuthor.json().message]).toEqual([403, '不能给自己的文档评分']);
  await pool.query('update documents set visibility = 2 where id = $1', [document.id]);
  expect((await rate(500, await newReader())).statusCode).toBe(404);
  expect((await rate(500, {})).statusCode).toBe(401);
});
