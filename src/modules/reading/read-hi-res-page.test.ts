import { expect, test } from 'vitest';
import { convert } from '#modules/document/document.fixture.ts';
import { addPricedDocument } from '#modules/download/download.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx } = await testApp();
const { id } = await addPricedDocument(ctx, 0);
await convert(ctx, id, 'ready', { pages: 400, ready_pages: 400, view: 'pages' });
const isDrawn = async (page: number, headers: Headers = {}): Promise<boolean> =>
  (await app.inject({ url: `/api/v1/document/sharp?id=${id}&page=${page}`, headers })).json().pending;

test('waiting for a larger page is not counted, and those behind one address share no limit once logged in', async () => {
  for (let times = 0; times < 70; times++) expect(await isDrawn(1)).toBe(true);
  // Four pages are drawn at once: the first four are, and 59 more times four may be asked for.
  for (let part = 1; part < 60; part++) expect(await isDrawn(part * 4 + 1)).toBe(true);
  expect(await isDrawn(241)).toBe(false);
  expect(await isDrawn(241, (await newMember(ctx)).headers)).toBe(true);
});
