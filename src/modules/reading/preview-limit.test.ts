import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { setConversionState } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { addPricedDocument, newReaderWithCredit } from '#modules/download/download-document.fixture.ts';
import { newMember, newRole, roleIdOf } from '#modules/role/role.fixture.ts';
import { roles } from '#modules/role/role.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock } = await testApp();
const PAGE_COUNT = 40;
const { id, author } = await addPricedDocument(ctx, 3);
await setConversionState(ctx, id, 'ready', { pages: PAGE_COUNT, ready_pages: PAGE_COUNT, view: 'pages' });

const countReadable = async (headers: Headers = {}) =>
  (await app.inject({ url: `/api/v1/document/pages?id=${id}&size=1`, headers })).json().readable;
const setPreviewLimit = (preview: number) => ctx.db.update(documents).set({ preview }).where(eq(documents.id, id));
const memberWith = async (...limits: number[]) =>
  newMember(ctx, await Promise.all(limits.map((max_preview) => newRole(ctx, [], { max_preview }))));

beforeEach(async () => {
  await setPreviewLimit(0);
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

  test('is the limit for a reader before the purchase and 0 after it', async () => {
    await setPreviewLimit(2);
    const { headers } = await newReaderWithCredit(ctx, 3);
    expect(await previews(headers)).toEqual([2, 2]);
    const purchase = await app.inject({ url: `/api/v1/document/download?id=${id}&price=3`, headers });
    expect(purchase.statusCode).toBe(200);
    expect(await previews(headers)).toEqual([0, 0]);
    expect(await previews((await newReaderWithCredit(ctx, 3)).headers)).toEqual([2, 2]);
  });

  test('is the stored limit for those who can change it', async () => {
    await setSetting(ctx, 'converter.max_preview', '8');
    await setPreviewLimit(12);
    expect(await previews(author.headers)).toEqual([12, 12]);
    expect(await previews(await as.root())).toEqual([12, 12]);
    expect(await previews()).toEqual([8, 8]);
  });
});

describe('the number of readable pages', () => {
  test('is the minimum of the limits of site, document and role', async () => {
    const member = await memberWith(20);
    expect([await countReadable(), await countReadable(member.headers)]).toEqual([PAGE_COUNT, 20]);
    await setSetting(ctx, 'converter.max_preview_percent', '30');
    expect([await countReadable(), await countReadable(member.headers)]).toEqual([12, 12]);
    await setSetting(ctx, 'converter.max_preview', '8');
    expect([await countReadable(), await countReadable(member.headers)]).toEqual([8, 8]);
    await setPreviewLimit(5);
    expect([await countReadable(), await countReadable((await memberWith(4)).headers)]).toEqual([5, 4]);
  });

  test('is for a visitor the limit of the default role', async () => {
    const limitDefault = (max_preview: number) =>
      ctx.db.update(roles).set({ max_preview }).where(eq(roles.is_default, true));
    await limitDefault(6);
    const { headers } = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
    expect([await countReadable(headers), await countReadable()]).toEqual([6, 6]);
    expect(await countReadable((await memberWith(20)).headers)).toBe(20);
    await limitDefault(0);
    expect(await countReadable()).toBe(PAGE_COUNT);
  });

  test('is the highest limit of several roles', async () => {
    expect(await countReadable((await memberWith(3, 9, 6)).headers)).toBe(9);
    // 0 means no limit by the role.
    expect(await countReadable((await memberWith(3, 0)).headers)).toBe(PAGE_COUNT);
    expect(await countReadable((await memberWith()).headers)).toBe(PAGE_COUNT);
  });

  test('is the whole document for the author, document managers and buyers', async () => {
    await setPreviewLimit(2);
    const reader = await newReaderWithCredit(ctx, 3);
    expect([await countReadable(), await countReadable(reader.headers)]).toEqual([2, 2]);
    const purchase = await app.inject({
      url: `/api/v1/document/download?id=${id}&price=3`,
      headers: reader.headers,
    });
    expect(purchase.statusCode).toBe(200);
    for (const headers of [
      author.headers,
      await as.root(),
      await as.userWith(['DocumentAPI/ListDocument']),
      reader.headers,
    ])
      expect(await countReadable(headers)).toBe(PAGE_COUNT);
    expect(await countReadable((await newReaderWithCredit(ctx, 3)).headers)).toBe(2);
  });

  test('returns to the preview limit when the purchase expires', async () => {
    await setPreviewLimit(2);
    await setSetting(ctx, 'download.free_download_duration', '1');
    const reader = await newReaderWithCredit(ctx, 3);
    await app.inject({
      url: `/api/v1/document/download?id=${id}&price=3`,
      headers: reader.headers,
    });
    const now = clock.now;
    clock.now = new Date(now.getTime() + 86_400_000 - 1);
    expect(await countReadable(reader.headers)).toBe(PAGE_COUNT);
    clock.now = new Date(now.getTime() + 86_400_000);
    expect(await countReadable(reader.headers)).toBe(2);
    clock.now = now;
    await setSetting(ctx, 'download.free_download_duration', '0');
  });
});

test('the preview limit of a role is stored on create and update and listed', async () => {
  const headers = await as.root();
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/group',
    headers,
    payload: { title: '试读角色', max_preview: 7 },
  });
  expect(response.json()).toMatchObject({ max_preview: 7 });
  const payload = { id: response.json().id, max_preview: 9 };
  await app.inject({ method: 'PUT', url: '/api/v1/group', headers, payload });
  const { group } = (await app.inject({ url: '/api/v1/group/list', headers })).json();
  expect(group.find(({ id }: { id: number }) => id === payload.id).max_preview).toBe(9);
});
