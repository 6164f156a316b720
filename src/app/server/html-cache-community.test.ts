import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx } = await testApp({ build: join(projectRoot, 'build'), runJobs: true });
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
const reader = await newReader(ctx);

/** The HTML of a page without scripts. */
const textOf = async (path: string) => (await app.inject(path)).body.replace(/<script.*?<\/script>|<!-- -->/gs, '');
async function send(method: 'POST' | 'PUT' | 'DELETE', to: string, payload: object = {}) {
  const url = `/api/v1/${to}`;
  const response = await app.inject({ method, url, headers: reader.headers, payload });
  expect(response.statusCode).toBe(200);
  return response.json();
}

test('the cached page of a document shows new favorites, comments and ratings without delay', async () => {
  const { publish } = await newPublisher(ctx);
  const id = await publish(makePdf(), '.pdf');
  const shownCounts = async () => {
    const text = await textOf(`/document/${id}`);
    return [/收藏 (\d+)/, /(\d+) 人评分/, /评论（(\d+)）/].map((each) => each.exec(text)?.[1]);
  };
  expect(await shownCounts()).toEqual(['0', undefined, undefined]);
  await send('POST', 'favorite', { document_id: id });
  await send('POST', 'comment', { document_id: id, content: '写得清楚' });
  await send('POST', 'document/score', { document_id: id, score: 500 });
  await expect.poll(shownCounts).toEqual(['1', '1', '1']);
});

test('the cached favorites page of a user shows a new favorite without delay, and hides it when its folder becomes private', async () => {
  const { id, title } = await newDocument(ctx, { title: `收藏的书 ${crypto.randomUUID()}` });
  const isShown = async () => (await textOf(`/user/${reader.id}/favorite`)).includes(title);
  expect(await isShown()).toBe(false);
  const favorite = await send('POST', 'favorite', { document_id: id });
  await expect.poll(isShown).toBe(true);
  const folder = await send('POST', 'favorite/folder', { title: '只给自己' });
  await send('PUT', 'favorite', { id: [favorite.id], folder_id: folder.id });
  await expect.poll(isShown).toBe(false);
  await send('PUT', 'favorite/folder', { id: folder.id, is_public: true });
  await expect.poll(isShown).toBe(true);
  await send('PUT', 'favorite/folder', { id: folder.id, is_public: false });
  await expect.poll(isShown).toBe(false);
});

test('the cached fans page of a user shows a new follower without delay', async () => {
  const { author } = await newDocument(ctx);
  const isShown = async () => (await textOf(`/user/${author.id}/fans`)).includes(`href="/user/${reader.id}"`);
  expect(await isShown()).toBe(false);
  await send('POST', 'follow', { user_id: author.id });
  await expect.poll(isShown).toBe(true);
  await send('DELETE', `follow?user_id=${author.id}`);
  await expect.poll(isShown).toBe(false);
});
