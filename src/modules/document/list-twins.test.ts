import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addConvertedDocument, changeDocument, createCategoryChain, newUploader } from './document.fixture.ts';
import { documentTwins } from './document.table.ts';

type Row = { id: number; twins?: { total: number; document: { id: number; title: string }[] } };
const { app, ctx, as } = await testApp();
const owner = await newUploader(ctx);
const [parent = 0, child = 0] = await createCategoryChain(ctx);
const [otherCategory = 0] = await createCategoryChain(ctx);

const ids: Record<string, number> = {};
const idsOf = (...names: string[]) => names.map((name) => ids[name]);
beforeAll(async () => {
  const add = async (name: string, category_id: number[]) => {
    ids[name] = await addConvertedDocument(ctx, owner, { title: name, category_id });
  };
  await add('first', [parent]);
  await add('second', [parent, child]);
  await add('third', [otherCategory]);
  await add('single', [parent, otherCategory]);
  const twins = ['first', 'second', 'third'].map((name) => ({ document_id: ids[name] ?? 0, twin_group: 1 }));
  await ctx.db.insert(documentTwins).values(twins);
});

async function list(query: string, headers: { authorization?: string } = as.visitor) {
  const response = await app.inject({ url: `/api/v1/document/list?${query}`, headers });
  expect(response.statusCode, response.body).toBe(200);
  const { total, document } = response.json() as { total: number; document: Row[] };
  return { total, document, ids: document.map(({ id }) => id) };
}
const listCollapsed = (query: string, headers?: { authorization?: string }) =>
  list(`collapse_twins=true&status=2&${query}`, headers);

describe('a list that collapses twins', () => {
  test('shows the oldest of each group with the others, newest entry first, and counts entries', async () => {
    const { ids: listedIds, total, document } = await listCollapsed('');
    expect(listedIds).toEqual(idsOf('single', 'first'));
    expect(total).toBe(2);
    expect(document.map(({ twins }) => twins?.document.map(({ title }) => title))).toEqual([
      undefined,
      ['second', 'third'],
    ]);
  });

  test('shows the oldest of those that meet the filters', async () => {
    expect((await listCollapsed(`category_id=${child}`)).ids).toEqual(idsOf('second'));
    const { ids: listedIds, document } = await listCollapsed(`category_id=${otherCategory}`);
    expect(listedIds).toEqual(idsOf('single', 'third'));
    expect(document[1]?.twins?.total).toBe(2);
    expect((await listCollapsed(`category_id=${parent}`)).ids).toEqual(idsOf('single', 'first'));
  });

  test('has pages without gaps, and the same entries with a limit instead of pages', async () => {
    expect((await listCollapsed('size=1&page=1')).ids).toEqual(idsOf('single'));
    expect((await listCollapsed('size=1&page=2')).ids).toEqual(idsOf('first'));
    expect(await listCollapsed('size=1&page=3')).toMatchObject({ total: 2, ids: [] });
    expect((await listCollapsed('limit=3')).ids).toEqual(idsOf('single', 'first'));
  });

  test('shows the next twin to visitors while the oldest is for members, and the oldest to members', async () => {
    await changeDocument(ctx, ids.first ?? 0, { visibility: 1 });
    const forVisitor = await listCollapsed('');
    expect(forVisitor.ids).toEqual(idsOf('single', 'second'));
    expect(forVisitor.document[1]?.twins?.document.map(({ title }) => title)).toEqual(['third']);
    expect((await listCollapsed('', owner.headers)).ids).toEqual(idsOf('single', 'first'));
    await changeDocument(ctx, ids.first ?? 0, { visibility: 0 });
  });

  test.each([
    ['deleted', { deleted_at: '2026-03-01T00:00:00Z' }, { deleted_at: null }],
    ['disabled', { status: 4 }, { status: 2 }],
  ] as const)('shows the next twin while the oldest is %s', async (_, change, reset) => {
    await changeDocument(ctx, ids.first ?? 0, change);
    expect((await listCollapsed('')).ids).toEqual(idsOf('single', 'second'));
    await changeDocument(ctx, ids.first ?? 0, reset);
    expect((await listCollapsed('')).ids).toEqual(idsOf('single', 'first'));
  });

  test('shows on the home page one document of each group per category', async () => {
    const readHome = async (query: string) => {
      const { document } = (await app.inject(`/api/v1/document/home?${query}`)).json();
      const section = document.find((each: { category_id: number }) => each.category_id === parent);
      return section.document as Row[];
    };
    const collapsedRows = await readHome('collapse_twins=true');
    expect(collapsedRows.map(({ id }) => id)).toEqual(idsOf('single', 'first'));
    expect(collapsedRows[1]?.twins?.total).toBe(2);
    expect((await readHome('')).map(({ id }) => id)).toEqual(idsOf('single', 'second', 'first'));
  });
});

test('a list without the parameter, also that of the owner and of managers, shows all twins', async () => {
  for (const headers of [as.visitor, owner.headers, await as.root()]) {
    const { ids: listedIds, total, document } = await list(`user_id=${owner.id}`, headers);
    expect(listedIds).toEqual(idsOf('single', 'third', 'second', 'first'));
    expect(total).toBe(4);
    expect(document.every(({ twins }) => twins === undefined)).toBe(true);
  }
});

describe('the filter has_twins', () => {
  test('lists managers the documents with or without twins', async () => {
    const manager = await as.userWith(['DocumentAPI/ListDocument']);
    expect((await list('has_twins=true', manager)).ids).toEqual(idsOf('third', 'second', 'first'));
    expect((await list('has_twins=false', manager)).ids).toEqual(idsOf('single'));
    expect((await list('has_twins=true&has_twins=false', manager)).total).toBe(4);
  });

  test('does not count deleted twins', async () => {
    const manager = await as.userWith(['DocumentAPI/ListDocument']);
    const changeTwins = async (deleted_at: string | null) => {
      for (const name of ['second', 'third']) await changeDocument(ctx, ids[name] ?? 0, { deleted_at });
    };
    onTestFinished(() => changeTwins(null));
    await changeTwins('2026-03-01T00:00:00Z');
    expect((await list('has_twins=true', manager)).ids).toEqual([]);
  });

  test('does not tell others whether a document has hidden twins', async () => {
    expect((await list('has_twins=true')).total).toBe(4);
    expect((await list('has_twins=true', owner.headers)).total).toBe(4);
  });
});
