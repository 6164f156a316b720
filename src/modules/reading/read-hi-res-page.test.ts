import { expect, test } from 'vitest';
import { setConversionState } from '#modules/document/document.fixture.ts';
import { addPricedDocument } from '#modules/download/download-document.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx } = await testApp();
const { id } = await addPricedDocument(ctx, 0);
await setConversionState(ctx, id, 'ready', { pages: 400, ready_pages: 400, view: 'pages' });
const isPending = async (page: number, headers: Headers = {}): Promise<boolean> =>
  (await app.inject({ url: `/api/v1/document/sharp?id=${id}&page=${page}`, headers })).json().pending;

test('polling for a high-resolution page does not count towards the rate limit, which is per account for logged-in users', async () => {
  for (let times = 0; times < 70; times++) expect(await isPending(1)).toBe(true);
  // Pages are rendered in groups of four: the first group is requested, and 59 more may be.
  for (let part = 1; part < 60; part++) expect(await isPending(part * 4 + 1)).toBe(true);
  expect(await isPending(241)).toBe(false);
  expect(await isPending(241, (await newMember(ctx)).headers)).toBe(true);
});
