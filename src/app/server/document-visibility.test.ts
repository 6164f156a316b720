import { eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { generateSitemap } from '#modules/sitemap/generate-sitemap.ts';
import { testApp } from '#testing/test-app.ts';
import { documentPaths } from './document-paths.fixture.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock } = await testApp({ runJobs: true });
clock.now = new Date();
for (const [name, value] of [
  ['enable_guest_download', 'true'],
  ['times_every_day', '1000'],
  ['times_every_ip', '1000'],
])
  await setSetting(ctx, `download.${name}`, value ?? '');
const publisher = await newPublisher(ctx);
const title = '同一条规则';
const id = await publisher.publish(makePdf({ pages: 2 }), '.pdf', { title });
const member = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
const staff = await as.userWith(['DocumentAPI/ListDocument']);

const get = (url: string, headers: Headers = {}) => app.inject({ url, headers });
const isAccessible = async (url: string, headers: Headers) => [200, 302].includes((await get(url, headers)).statusCode);
const { hash } = (await get(`/api/v1/document?id=${id}`)).json().attachment;

// Feeds are cached for half a minute.
vi.useFakeTimers({ toFake: ['performance'] });
async function isInFeed() {
  vi.advanceTimersByTime(30_001);
  return (await get('/feed.atom')).body.includes(`/document/${id}<`);
}
async function isInSitemap() {
  const attempt = { signal: new AbortController().signal, attempt: 1 };
  await generateSitemap.run(ctx, { isFullBuildRequested: true }, attempt);
  return (await get('/sitemap/documents-1.xml')).body.includes(`/document/${id}<`);
}
const titlesOf = async (url: string, headers: Headers): Promise<string[]> =>
  (await get(url, headers)).json().document.map((row: { title: string }) => row.title);

/** The ways to access a document; each returns whether the caller can access it. */
const channels = {
  pages: (headers: Headers) => isAccessible(`/api/v1/document/pages?id=${id}`, headers),
  text: (headers: Headers) => isAccessible(`/api/v1/document/text?id=${id}`, headers),
  cover: (headers: Headers) => isAccessible(`/view/cover/${hash}`, headers),
  lists: async (headers: Headers) =>
    (await titlesOf(`/api/v1/document/list?user_id=${publisher.id}`, headers)).includes(title),
  search: async (headers: Headers) => {
    await indexQueuedDocuments(ctx);
    const url = `/api/v1/document/search?wd=${encodeURIComponent(title)}`;
    return (await titlesOf(url, headers)).includes(title);
  },
  downloads: (headers: Headers) => isAccessible(`/api/v1/document/download?id=${id}`, headers),
  feeds: isInFeed,
  sitemap: isInSitemap,
};
type Channel = keyof typeof channels;
const names = Object.keys(channels) as Channel[];
/** Feeds and the sitemap are the same for every caller. */
const personalChannels = names.filter((name) => name !== 'feeds' && name !== 'sitemap');
const channelsShowing = async (headers: Headers, channelNames: Channel[]) => {
  const visibleChannels: Channel[] = [];
  for (const name of channelNames) if (await channels[name](headers)) visibleChannels.push(name);
  return visibleChannels;
};
const updateDocument = (values: Partial<typeof documents.$inferInsert>) =>
  ctx.db
    .update(documents)
    .set({ review_state: 'published', visibility: 0, deleted_at: null, ...values, updated_at: sql`now()` })
    .where(eq(documents.id, id));

describe('the visibility of a document in all channels', () => {
  test('a converted public document is accessible in pages, text, cover, lists, search, downloads, feeds and the sitemap', async () => {
    await updateDocument({});
    expect(await channelsShowing({}, names)).toEqual(names);
    expect(await channelsShowing(member.headers, personalChannels)).toEqual(personalChannels);
  });

  test.each([
    ['disabled', { review_state: 'disabled' }],
    ['under review', { review_state: 'under-review' }],
    ['rejected', { review_state: 'refused' }],
    ['deleted', { deleted_at: '2026-01-01T00:00:00Z' }],
    ['visible to its owner only', { visibility: 2 }],
  ] as const)('a document that is %s is accessible to other users in no channel', async (_, values) => {
    await updateDocument(values);
    expect(await channelsShowing({}, names)).toEqual([]);
    expect(await channelsShowing(member.headers, personalChannels)).toEqual([]);
  });

  test('a document for logged-in users is accessible to visitors in no channel and to members in all personal channels', async () => {
    await updateDocument({ visibility: 1 });
    expect(await channelsShowing({}, names)).toEqual([]);
    expect(await channelsShowing(member.headers, personalChannels)).toEqual(personalChannels);
  });

  const refusalsFor = (headers: Headers) =>
    Promise.all(
      documentPaths.map(async (path) => {
        const answer = await get(`/api/v1${path}id=${id}`, headers);
        return [path, answer.statusCode, answer.json().code];
      }),
    );

  test('every endpoint answers a visitor with 401 document.membersOnly for a document for logged-in users', async () => {
    await updateDocument({ visibility: 1 });
    expect(await refusalsFor({})).toEqual(documentPaths.map((path) => [path, 401, 'document.membersOnly']));
    const view = await app.inject({ method: 'POST', url: '/api/v1/document/view', payload: { id } });
    expect([view.statusCode, view.json().code]).toEqual([401, 'document.membersOnly']);
  });

  test('every endpoint answers visitors and members with 404 for a document that is visible to its owner only', async () => {
    await updateDocument({ visibility: 2 });
    const expected = documentPaths.map((path) => [path, 404, 'document.notFound']);
    expect(await refusalsFor({})).toEqual(expected);
    expect(await refusalsFor(member.headers)).toEqual(expected);
  });

  test.each([
    ['disabled', { review_state: 'disabled' }],
    ['under review', { review_state: 'under-review' }],
    ['rejected', { review_state: 'refused' }],
    ['visible to its owner only', { visibility: 2 }],
  ] as const)(
    'a document that is %s is accessible to its owner and to users with the permission',
    async (_, values) => {
      await updateDocument(values);
      const channelNames: Channel[] = ['pages', 'text', 'cover', 'lists'];
      expect(await channelsShowing(publisher.headers, channelNames)).toEqual(channelNames);
      expect(await channelsShowing(staff, channelNames)).toEqual(channelNames);
    },
  );
});
