import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { propertyRuns } from '#testing/test-tier.ts';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  readDocumentCounts,
  setConversionState,
} from './document.fixture.ts';

const { app, ctx, as, pool } = await testApp();
const root = await as.root();
type Method = 'PUT' | 'DELETE';

const put = (url: string, payload: object, headers = root) =>
  app.inject({ method: 'PUT', url: `/api/v1${url}`, headers, payload });
const remove = (ids: number[], headers = root) =>
  app.inject({
    method: 'DELETE' as Method,
    url: `/api/v1/document?${ids.map((id) => `id=${id}`).join('&')}`,
    headers,
  });

/** Users and categories whose count differs from the number of publicly visible documents. */
async function wrongCounts() {
  const isCounted = `deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5)`;
  const { rows } = await pool.query(`
    select 'user ' || u.id as name, u.doc_count, count(d.id)::int as real
    from users u left join documents d on d.user_id = u.id and ${isCounted}
    group by u.id having u.doc_count <> count(d.id)
    union all
    select 'category ' || c.id, c.doc_count, count(d.id)::int
    from categories c
    left join document_categories l on l.category_id = c.id
    left join documents d on d.id = l.document_id and ${isCounted}
    group by c.id having c.doc_count <> count(d.id)`);
  return rows;
}

test('document counts of users and categories include only publicly visible documents', async () => {
  const owner = await newUploader(ctx);
  const branch = await createCategoryChain(ctx);
  const { id } = await addDocument(ctx, owner, { category_id: branch });
  const counts = async () => (await readDocumentCounts(ctx, owner.id, branch)).user;
  const steps: [() => Promise<unknown>, number][] = [
    [() => put('/document', { id, visibility: 1 }), 0],
    [() => put('/document', { id, visibility: 0 }), 1],
    [() => put('/document', { id, visibility: 2 }), 0],
    [() => put('/document/check', { id: [id], status: 4 }), 0],
    [() => put('/document', { id, visibility: 0 }), 0],
    [() => put('/document/check', { id: [id], status: 2 }), 1],
    [() => put('/document/check', { id: [id], status: 6 }), 0],
    [() => put('/document/check', { id: [id], status: 7, reason: '不合适' }), 0],
    [() => put('/document/check', { id: [id], status: 0 }), 1],
    [() => setConversionState(ctx, id, 'failed'), 1],
    [() => setConversionState(ctx, id, 'ready'), 1],
    [() => remove([id]), 0],
    [() => put('/document/recycle', { id: [id] }), 1],
  ];
  for (const [step, expected] of steps) {
    await step();
    expect(await counts(), String(step)).toBe(expected);
    expect(await wrongCounts()).toEqual([]);
  }
});

test('moving a category moves its documents and counts to the new ancestors', async () => {
  const owner = await newUploader(ctx);
  const [a = 0, b = 0, leaf = 0] = await createCategoryChain(ctx, 3);
  const [newParent = 0] = await createCategoryChain(ctx, 1);
  const { id: movedDocument } = await addDocument(ctx, owner, { category_id: [leaf] });
  const { id: otherDocument } = await addDocument(ctx, owner, { category_id: [b] });
  const categoryOf = async (id: number) => (await app.inject({ url: `/api/v1/document?id=${id}` })).json().category_id;
  expect((await put('/category', { id: leaf, parent_id: newParent })).statusCode).toBe(200);
  expect([await categoryOf(movedDocument), await categoryOf(otherDocument)]).toEqual([
    [newParent, leaf],
    [a, b],
  ]);
  expect((await readDocumentCounts(ctx, owner.id, [a, b, newParent, leaf])).categories).toEqual([1, 1, 1, 1]);
  await put('/category', { id: leaf, parent_id: 0 });
  expect(await categoryOf(movedDocument)).toEqual([leaf]);
  await put('/category', { id: leaf, parent_id: a });
  expect(await categoryOf(movedDocument)).toEqual([a, leaf]);
  await put('/category', { id: b, parent_id: leaf });
  expect(await categoryOf(otherDocument)).toEqual([a, leaf, b]);
  expect(await wrongCounts()).toEqual([]);
});

test('the category list shows new document counts to visitors immediately', async () => {
  const owner = await newUploader(ctx);
  const [top = 0] = await createCategoryChain(ctx, 1);
  await app.inject({
    method: 'PUT',
    url: '/api/v1/category',
    headers: root,
    payload: { id: top, sort: 1 },
  });
  const listedCount = async () =>
    (await app.inject({ url: '/api/v1/category/list' })).json().category.find((each: { id: number }) => each.id === top)
      ?.doc_count;
  expect(await listedCount()).toBe(0);
  await addDocument(ctx, owner, { category_id: [top] });
  await expect.poll(listedCount).toBe(1);
});

test('a category with a document in the recycle bin, or a user with one, cannot be deleted', async () => {
  const owner = await newUploader(ctx);
  const branch = await createCategoryChain(ctx, 1);
  const { id } = await addDocument(ctx, owner, { category_id: branch });
  await remove([id]);
  const category = await app.inject({
    method: 'DELETE',
    url: `/api/v1/category?id=${branch[0]}`,
    headers: root,
  });
  expect([category.statusCode, category.json().code]).toEqual([409, 'category.hasDocuments']);
  const user = await app.inject({
    method: 'DELETE',
    url: `/api/v1/user?id=${owner.id}`,
    headers: root,
    payload: { password: 'correct-horse-battery' },
  });
  expect([user.statusCode, user.json().code]).toEqual([409, 'account.hasDocuments']);
});

test('document counts stay exact under concurrent random operations, without deadlocks', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => newUploader(ctx)));
  const branches = await Promise.all(Array.from({ length: 4 }, () => createCategoryChain(ctx, 2)));
  const pick = <T>(list: readonly T[], at: number) => list[at % list.length] as T;
  const ids: number[] = [];
  for (let at = 0; at < 24; at += 1) {
    const category_id = pick(branches, at);
    ids.push((await addDocument(ctx, pick(people, at), { category_id })).id);
  }
  const operation = fc.record({
    kind: fc.constantFrom(
      'create',
      'delete',
      'restore',
      'hide',
      'show',
      'disable',
      'enable',
      'move',
      'convert',
      'reconvert',
      'tree',
    ),
    at: fc.nat(23),
    count: fc.integer({ min: 1, max: 6 }),
    branch: fc.nat(3),
  });
  const run = async ({ kind, at, count, branch }: typeof operation extends fc.Arbitrary<infer T> ? T : never) => {
    // Unsorted ids: the order in a request must not decide the lock order.
    const targetIds = Array.from({ length: count }, (_, i) => pick(ids, at + i * 5)).reverse();
    const [targetId = 0] = targetIds;
    const category_id = pick(branches, branch);
    switch (kind) {
      case 'create':
        return void (await addDocument(ctx, pick(people, at), { category_id }));
      case 'delete':
        return remove(targetIds);
      case 'restore':
        return put('/document/recycle', { id: targetIds });
      case 'hide':
        return put('/document', { id: targetId, visibility: 2 });
      case 'show':
        return put('/document', { id: targetId, visibility: 0, category_id });
      case 'disable':
        return put('/document/check', { id: targetIds, status: 4 });
      case 'enable':
        return put('/document/check', { id: targetIds, status: 2 });
      case 'move':
        return put('/document/category', { document_id: targetIds, category_id });
      case 'convert':
        return void (await setConversionState(ctx, targetId, pick(['converting', 'ready', 'failed'], count)));
      case 'reconvert':
        return put('/document/reconvert', { id: targetIds });
      case 'tree':
        return put('/category', {
          id: category_id[1],
          parent_id: pick(branches, branch + count)[0],
        });
    }
  };
  const plan = fc.sample(operation, propertyRuns({ quick: 25, full: 300 }));
  const serverErrors: string[] = [];
  const workers = Array.from({ length: 10 }, async () => {
    for (let next = plan.pop(); next; next = plan.pop()) {
      const answer = await run(next);
      if (answer && answer.statusCode >= 500) serverErrors.push(`${next.kind}: ${answer.body}`);
    }
  });
  await Promise.all(workers);
  expect(serverErrors).toEqual([]);
  expect(await wrongCounts()).toEqual([]);
  const { rows: wrongLinks } = await pool.query(`
    select l.* from document_categories l join documents d on d.id = l.document_id
    where l.is_readable <> (d.deleted_at is null and d.visibility = 0 and d.status = 2)`);
  expect(wrongLinks).toEqual([]);
  const { rows: staleStatuses } = await pool.query(`
    select d.id, d.status, r.state from documents d join renditions r on r.id = d.rendition_id
    where d.status in (0, 1, 2, 3) and d.status <> case
      when r.ready_at is not null and r.ready_pages = r.pages then 2
      when r.state = 'waiting' then 0 when r.state = 'converting' then 1
      when r.state = 'failed' then 3 else 2 end`);
  expect(staleStatuses).toEqual([]);
});
