import { describe, expect, test } from 'vitest';
import { newMember, newStaff } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { type DocumentStatus, documentStatuses } from './document.contract.ts';
import { addDocument, changeDocument, createCategoryChain, newUploader } from './document.fixture.ts';
import { documents } from './document.table.ts';
import { canRead, canSee, isVisibleToCaller } from './visibility.ts';

const { app, ctx, as, pool } = await testApp();

const owner = await newUploader(ctx);
const member = await newMember(ctx);
const viewers = {
  visitor: as.visitor,
  member: member.headers,
  owner: owner.headers,
  manager: (await newStaff(ctx, ['DocumentAPI/ListDocument'])).headers,
  reviewer: (await newStaff(ctx, ['DocumentAPI/GetDocument'])).headers,
  root: await as.root(),
};
type Viewer = keyof typeof viewers;
const insiders: Viewer[] = ['owner', 'manager', 'reviewer', 'root'];

const statuses = Object.keys(documentStatuses).map(Number) as DocumentStatus[];
const category = await createCategoryChain(ctx);
const cases: { id: number; title: string; status: number; visibility: number; deleted: boolean }[] = [];
for (const status of statuses)
  for (const visibility of [0, 1, 2] as const)
    for (const isDeleted of [false, true]) {
      const title = `秘密 ${status} ${visibility} ${isDeleted}`;
      const { id } = await addDocument(ctx, owner, {
        title,
        category_id: category,
        description: `摘要 ${title}`,
      });
      await changeDocument(ctx, id, { status, visibility, deleted_at: isDeleted ? '2026-02-01T00:00:00Z' : null });
      cases.push({ id, title, status, visibility, deleted: isDeleted });
    }

/** An independent implementation of the access rule. */
function shouldSee({ status, visibility, deleted }: (typeof cases)[number], viewer: Viewer) {
  if (deleted) return false;
  if (insiders.includes(viewer)) return true;
  if ([4, 6, 7].includes(status)) return false;
  return viewer === 'member' ? visibility <= 1 : visibility === 0;
}
const fetchAs = async (viewer: Viewer, url: string) => app.inject({ url: `/api/v1${url}`, headers: viewers[viewer] });
const titlesVisibleTo = (viewer: Viewer) =>
  cases
    .filter((each) => shouldSee(each, viewer))
    .map(({ title }) => title)
    .sort();

describe.each(Object.keys(viewers) as Viewer[])('document access as %s', (viewer) => {
  test('returns visible documents and 404 for all others, except 401 for visitors on members-only documents', async () => {
    for (const each of cases) {
      const answer = await fetchAs(viewer, `/document?id=${each.id}`);
      const refusal = viewer === 'visitor' && shouldSee(each, 'member') ? 401 : 404;
      expect([each.title, answer.statusCode]).toEqual([each.title, shouldSee(each, viewer) ? 200 : refusal]);
    }
  });

  test.each([
    ['list', (id: string) => `/document/list?size=100${id}`],
    ['list of the owner', (id: string) => `/document/list?size=100&user_id=${owner.id}${id}`],
    ['list of the category', (id: string) => `/document/list?limit=100&category_id=${category[0]}${id}`],
    ['list by status', (id: string) => `/document/list?size=100${statuses.map((s) => `&status=${s}`).join('')}${id}`],
  ])('shows exactly the visible documents in the %s', async (_, urlOf) => {
    const { document } = (await fetchAs(viewer, urlOf(''))).json();
    const titles = document.map(({ title }: { title: string }) => title).sort();
    expect(titles).toEqual(titlesVisibleTo(viewer));
  });

  test('returns the progress of exactly the visible documents', async () => {
    const url = `/document/progress?${cases.map(({ id }) => `id=${id}`).join('&')}`;
    const ids = (await fetchAs(viewer, url)).json().document.map(({ id }: { id: number }) => id);
    expect(ids.sort()).toEqual(
      cases
        .filter((each) => shouldSee(each, viewer))
        .map(({ id }) => id)
        .sort(),
    );
  });

  test('returns the description of converted documents, and of others only to owner and managers', async () => {
    for (const each of cases.filter((each) => shouldSee(each, viewer))) {
      const { description, title } = (await fetchAs(viewer, `/document?id=${each.id}`)).json();
      const isReadable = insiders.includes(viewer) || each.status === 2;
      expect([title, description]).toEqual([each.title, isReadable ? `摘要 ${title}` : '']);
    }
  });
});

test('a visitor who requests a members-only document gets only the membersOnly error', async () => {
  const document = cases.find(({ status, visibility, deleted }) => status === 2 && visibility === 1 && !deleted);
  const { rows } = await pool.query('select uuid from documents where id = $1', [document?.id]);
  for (const name of [`id=${document?.id}`, `uuid=${rows[0].uuid}`]) {
    const answer = await fetchAs('visitor', `/document?${name}&with_author=true`);
    expect(answer.json()).toEqual({
      code: 'document.membersOnly',
      message: '登录后可见',
      error: '登录后可见',
    });
  }
});

test('the home page shows the same publicly readable documents to every viewer', async () => {
  for (const viewer of Object.keys(viewers) as Viewer[]) {
    const { document } = (await fetchAs(viewer, '/document/home?limit=100')).json();
    const section = document.find((each: { category_id: number }) => each.category_id === category[0]);
    expect(section.document.map(({ title }: { title: string }) => title)).toEqual(['秘密 2 0 false']);
  }
});

test('the feed of a user shows hidden documents only to the user', async () => {
  const { dynamic } = (await fetchAs('visitor', `/user/dynamic?id=${owner.id}&size=100`)).json();
  const listedCases = cases.filter(({ title }) =>
    dynamic.some(({ content }: { content: string }) => content.includes(title)),
  );
  expect(listedCases.map(({ title }) => title)).toEqual(titlesVisibleTo('visitor'));
  const ownerFeed = (await fetchAs('owner', `/user/dynamic?id=${owner.id}&size=100`)).json().dynamic;
  expect(ownerFeed).toHaveLength(cases.length);
});

test('the recycle bin returns 401 to visitors and only their documents to members', async () => {
  expect((await fetchAs('visitor', '/document/recycle')).statusCode).toBe(401);
  expect((await fetchAs('member', '/document/recycle')).json()).toEqual({ total: 0, document: [] });
  expect((await fetchAs('owner', '/document/recycle')).json().total).toBe(cases.length / 2);
});

test('isVisibleToCaller and canSee select the same documents', async () => {
  const rows = await ctx.db.select().from(documents);
  const users = [null, { id: member.id }, { id: owner.id }];
  for (const user of users) {
    const viewer = {
      ...ctx,
      user: user && {
        ...user,
        username: '',
        isRoot: false,
        permissions: new Set<string>(),
        sessionId: 0,
      },
    };
    const visibleRows = await ctx.db.select({ id: documents.id }).from(documents).where(isVisibleToCaller(viewer));
    expect(
      rows
        .filter((row) => canSee(viewer, row))
        .map(({ id }) => id)
        .sort(),
    ).toEqual(visibleRows.map(({ id }) => id).sort());
    expect(rows.filter((row) => canRead(viewer, row)).every((row) => canSee(viewer, row))).toBe(true);
  }
});

test('counts hidden by site settings are returned only to the owner', async () => {
  const { id } = cases.find(({ title }) => title === '秘密 2 0 false') ?? { id: 0 };
  await pool.query('update documents set view_count = 7, download_count = 7, favorite_count = 7 where id = $1', [id]);
  for (const name of ['view', 'download', 'favorite'])
    await setSetting(ctx, `display.show_document_${name}_count`, 'false');
  const counts = async (viewer: Viewer) => {
    const row = (await fetchAs(viewer, `/document?id=${id}`)).json();
    return [row.view_count, row.download_count, row.favorite_count];
  };
  expect(await counts('member')).toEqual([0, 0, 0]);
  expect(await counts('owner')).toEqual([7, 7, 7]);
});
