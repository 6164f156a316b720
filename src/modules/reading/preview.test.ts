import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { convert } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { addPricedDocument, newReaderWithCredit } from '#modules/download/download.fixture.ts';
import { newMember, newRole, roleIdOf } from '#modules/role/role.fixture.ts';
import { roles } from '#modules/role/role.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock } = await testApp();
const PAGES = 40;
const { id, author } = await addPricedDocument(ctx, 3);
await convert(ctx, id, 'ready', { pages: PAGES, ready_pages: PAGES, view: 'pages' });

const readable = async (headers: Headers = {}) =>
  (await app.inject({ url: `/api/v1/document/pages?id=${id}&size=1`, headers })).json().readable;
const limit = (preview: number) => ctx.db.update(documents).set({ preview }).where(eq(documents.id, id));
const memberWith = async (...limits: number[]) =>
  newMember(ctx, await Promise.all(limits.map((max_preview) => newRole(ctx, [], { max_preview }))));

beforeEach(async () => {
  await limit(0);
  await setSetting(ctx, 'converter.max_preview', '0');
  await setSetting(ctx, 'converter.max_preview_percent', '100');
});

describe('the field preview of a document and of its row in a list', () => {
  const previews = async (headers: Headers = {}) => {
    const document = (await app.inject({ url: `/api/v1/document?id=${id}`, headers })).json();
    const list = (await app.inject({ url: `/api/v1/document/list?id=${id}`, headers })).json();
    return [document.preview, list.document[0].preview];
  };

  test('is the number of pages that the caller may read, and 0 for all of them', async () => {
    expect(await previews()).toEqual([0, 0]);
    await setSetting(ctx, 'converter.max_preview', '8');
    expect(await previews()).toEqual([8, 8]);
    expect(await previews((await memberWith(4)).headers)).toEqual([4, 4]);
  });

  test('is the stored limit for those who can change it', async () => {
    await setSetting(ctx, 'converter.max_preview', '8');
    await limit(12);
    expect(await previews(author.headers)).toEqual([12, 12]);
    expect(await previews(await as.root())).toEqual([12, 12]);
    expect(await previews()).toEqual([8, 8]);
  });
});

describe('how many pages somebody may read', () => {
  test('is the least of what site, document and role allow', async () => {
    const member = await memberWith(20);
    expect([await readable(), await readable(member.headers)]).toEqual([PAGES, 20]);
    await setSetting(ctx, 'converter.max_preview_percent', '30');
    expect([await readable(), await readable(member.headers)]).toEqual([12, 12]);
    await setSetting(ctx, 'converter.max_preview', '8');
    expect([await readable(), await readable(member.headers)]).toEqual([8, 8]);
    await limit(5);
    expect([await readable(), await readable((await memberWith(4)).headers)]).toEqual([5, 4]);
  });

  test('is for a visitor what it is for those who have just registered', async () => {
    const limitDefault = (max_preview: number) =>
      ctx.db.update(roles).set({ max_preview }).where(eq(roles.is_default, true));
    await limitDefault(6);
    const { headers } = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
    expect([await readable(headers), await readable()]).toEqual([6, 6]);
    expect(await readable((await memberWith(20)).headers)).toBe(20);
    await limitDefault(0);
    expect(await readable()).toBe(PAGES);
  });

  test('is what the most generous of several roles allows', async () => {
    expect(await readable((await memberWith(3, 9, 6)).headers)).toBe(9);
    // 0 leaves it to the site.
    expect(await readable((await memberWith(3, 0)).headers)).toBe(PAGES);
    expect(await readable((await memberWith()).headers)).toBe(PAGES);
  });

  test('is everything for the author, those who manage documents and whoever has bought it', async () => {
    await limit(2);
    const reader = await newReaderWithCredit(ctx, 3);
    expect([await readable(), await readable(reader.headers)]).toEqual([2, 2]);
    const bought = await app.inject({
      url: `/api/v1/document/download?id=${id}&price=3`,
      headers: reader.headers,
    });
    expect(bought.statusCode).toBe(200);
    for (const headers of [
      author.headers,
      await as.root(),
      await as.userWith(['DocumentAPI/ListDocument']),
      reader.headers,
    ])
      expect(await readable(headers)).toBe(PAGES);
    expect(await readable((await newReaderWithCredit(ctx, 3)).headers)).toBe(2);
  });

  test('ends with the purchase', async () => {
    await limit(2);
    await setSetting(ctx, 'download.free_download_duration', '1');
    const reader = await newReaderWithCredit(ctx, 3);
    await app.inject({
      url: `/api/v1/document/download?id=${id}&price=3`,
      headers: reader.headers,
    });
    const now = clock.now;
    clock.now = new Date(now.getTime() + 86_400_000 - 1);
    expect(await readable(reader.headers)).toBe(PAGES);
    clock.now = new Date(now.getTime() + 86_400_000);
    expect(await readable(reader.headers)).toBe(2);
    clock.now = now;
    await setSetting(ctx, 'download.free_download_duration', '0');
  });
});

test('the pages a role may read are set like everything else of it, and shown in its list', async () => {
  const headers = await as.root();
  const made = await app.inject({
    method: 'POST',
    url: '/api/v1/group',
    headers,
    payload: { title: '试读角色', max_preview: 7 },
  });
  expect(made.json()).toMatchObject({ max_preview: 7 });
  const payload = { id: made.json().id, max_preview: 9 };
  await app.inject({ method: 'PUT', url: '/api/v1/group', headers, payload });
  const { group } = (await app.inject({ url: '/api/v1/group/list', headers })).json();
  expect(group.find(({ id }: { id: number }) => id === payload.id).max_preview).toBe(9);
});
