import { describe, expect, test } from 'vitest';
import { activities } from '#modules/activity/activity.table.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import {
  createCategoryChain,
  newUpload,
  newUploader,
  payAwards,
  pdfOf,
  readDocumentCounts,
  setConversionState,
} from './document.fixture.ts';

const { app, ctx, as, pool } = await testApp();

type Headers = { authorization?: string };
const post = (headers: Headers, payload: object) =>
  app.inject({ method: 'POST', url: '/api/v1/document', headers, payload });
const get = async (headers: Headers, query: string) =>
  (await app.inject({ url: `/api/v1/document${query}`, headers })).json();
const errorOf = async (answer: ReturnType<typeof post>) => {
  const { statusCode, ...response } = await answer;
  return [statusCode, response.json().code];
};

test('creating a document requires a role with the upload permission', async () => {
  const reader = await newMember(ctx, [await newRole(ctx, [], { enable_upload: false })]);
  const payload = {
    category_id: await createCategoryChain(ctx),
    document: [{ title: '甲', attachment_id: await newUpload(ctx, reader.id) }],
  };
  const response = await post(reader.headers, payload);
  expect([response.statusCode, response.json().message]).toEqual([403, '您没有上传文档的权限']);
  expect((await post(as.visitor, payload)).statusCode).toBe(401);
});

describe('a new document', () => {
  test('is linked to its category and all ancestors, gets keywords from its title and waits for conversion', async () => {
    const { id: userId, username, headers } = await newUploader(ctx);
    const [top = 0, middle = 0, leaf = 0] = await createCategoryChain(ctx, 3);
    const answer = await post(headers, {
      overwrite: false,
      category_id: [leaf],
      document: [{ title: '  高等数学试题 ', attachment_id: await newUpload(ctx, userId), price: 3 }],
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const [{ id, uuid }] = answer.json().document;
    expect(uuid).toMatch(/^[0-9a-f]{16}$/);
    const row = await get(headers, `?id=${id}`);
    expect(row).toMatchObject({
      id,
      uuid,
      title: '高等数学试题',
      price: 3,
      ext: '.pdf',
      status: 0,
      score: 0,
      username,
      category_id: [top, middle, leaf],
      visibility: 0,
      pages: 0,
    });
    expect(row.keywords).toMatch(/数学/);
    expect(await get(as.visitor, `?uuid=${uuid}`)).toMatchObject({ id, title: '高等数学试题' });
    expect(await readDocumentCounts(ctx, userId, [top, middle, leaf])).toEqual({
      user: 1,
      categories: [1, 1, 1],
    });
  });

  test('of an already converted file is readable immediately', async () => {
    const [first, second] = [await newUploader(ctx), await newUploader(ctx)];
    const bytes = pdfOf();
    const category_id = await createCategoryChain(ctx);
    const add = async ({ id, headers }: typeof first) => {
      const document = [{ title: '同一本书', attachment_id: await newUpload(ctx, id, { bytes }) }];
      return (await post(headers, { category_id, document })).json().document[0];
    };
    const { id } = await add(first);
    await setConversionState(ctx, id, 'ready', { summary: '第一章', language: 'zh' });
    const duplicate = await add(second);
    expect(duplicate.status).toBe(2);
    expect(await get(as.visitor, `?id=${duplicate.id}`)).toMatchObject({
      pages: 3,
      ready_pages: 3,
      description: '第一章',
      language: 'zh',
      status: 2,
    });
  });

  test('lists other documents of the same file that its author may see', async () => {
    const [first, second] = [await newUploader(ctx), await newUploader(ctx)];
    const bytes = pdfOf();
    const category_id = await createCategoryChain(ctx);
    const add = async ({ id, headers }: typeof first, title: string, visibility = 0) => {
      const attachment_id = await newUpload(ctx, id, { bytes });
      const payload = { category_id, document: [{ title, attachment_id, visibility }] };
      return (await post(headers, payload)).json().document[0];
    };
    expect((await add(first, '私下的', 2)).same).toEqual([]);
    const { id } = await add(second, '公开的');
    expect((await add(second, '又一份')).same).toEqual([{ id, title: '公开的' }]);
  });

  test('follows the conversion status of its file and shows the failure reason only to its owner', async () => {
    const { id: userId, headers } = await newUploader(ctx);
    const attachment_id = await newUpload(ctx, userId);
    const payload = {
      category_id: await createCategoryChain(ctx),
      document: [{ title: '乙', attachment_id }],
    };
    const { id } = (await post(headers, payload)).json().document[0];
    await setConversionState(ctx, id, 'converting');
    expect(await get(as.visitor, `?id=${id}`)).toMatchObject({ status: 1 });
    await setConversionState(ctx, id, 'failed', { reason: '文档已加密' });
    expect(await get(headers, `?id=${id}`)).toMatchObject({
      status: 3,
      convert_error: '文档已加密',
    });
    expect(await get(as.visitor, `?id=${id}`)).toMatchObject({ status: 3, convert_error: '' });
    const progress = (headers: Headers) => get(headers, `/progress?id=${id}&id=999999`);
    expect(await progress(headers)).toEqual({
      document: [
        {
          id,
          status: 3,
          pages: 0,
          ready_pages: 0,
          conversion_state: 'failed',
          reason: '文档已加密',
          encryption: 'unlockable',
        },
      ],
    });
    expect((await progress(as.visitor)).document[0].reason).toBe('');
  });

  test('is rejected together with all others of the request if one file is invalid', async () => {
    const { id: userId, headers } = await newUploader(ctx);
    const otherUser = await newUploader(ctx);
    const category_id = await createCategoryChain(ctx);
    const files = await Promise.all([1, 2, 3].map(() => newUpload(ctx, userId)));
    const otherUsersFile = await newUpload(ctx, otherUser.id);
    const documentsOf = (ids: number[]) => ids.map((attachment_id, i) => ({ title: `第 ${i} 篇`, attachment_id }));
    const count = async () => (await pool.query('select count(*)::int as n from documents')).rows[0].n;
    const before = await count();
    expect(await errorOf(post(headers, { category_id, document: documentsOf([...files, otherUsersFile]) }))).toEqual([
      400,
      'document.wrongFile',
    ]);
    expect(await errorOf(post(headers, { category_id, document: documentsOf([...files, 999_999]) }))).toEqual([
      400,
      'document.wrongFile',
    ]);
    expect(
      await errorOf(post(headers, { category_id, document: documentsOf([files[0] ?? 0, files[0] ?? 0]) })),
    ).toEqual([409, 'document.usedFile']);
    expect(await count()).toBe(before);
    const createdDocuments = (await post(headers, { category_id, document: documentsOf(files) })).json().document;
    expect(createdDocuments.map(({ title }: { title: string }) => title)).toEqual(['第 0 篇', '第 1 篇', '第 2 篇']);
    expect(await errorOf(post(headers, { category_id, document: documentsOf(files) }))).toEqual([
      409,
      'document.usedFile',
    ]);
    // Each document has its requested file.
    const { rows } = await pool.query(
      'select type_id::int from attachments where id = any($1) order by array_position($1, id)',
      [files],
    );
    expect(rows.map(({ type_id }) => type_id)).toEqual(createdDocuments.map(({ id }: { id: number }) => id));
  });

  test('is created only once when ten requests use the same file concurrently', async () => {
    const { id: userId, headers } = await newUploader(ctx);
    const attachment_id = await newUpload(ctx, userId);
    const category_id = await createCategoryChain(ctx);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(headers, { category_id, document: [{ title: '抢', attachment_id }] })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  test('is rejected if its file was marked illegal after the upload', async () => {
    const { id: userId, headers } = await newUploader(ctx);
    const attachment_id = await newUpload(ctx, userId);
    await pool.query('update attachments set enable = false where id = $1', [attachment_id]);
    const payload = {
      category_id: await createCategoryChain(ctx),
      document: [{ title: '禁', attachment_id }],
    };
    expect(await errorOf(post(headers, payload))).toEqual([422, 'file.illegal']);
  });

  test('is rejected for a category that does not exist, is disabled or has a disabled ancestor', async () => {
    const { id: userId, headers } = await newUploader(ctx);
    const attachment_id = await newUpload(ctx, userId);
    const document = [{ title: '丙', attachment_id }];
    const [top = 0, leaf = 0] = await createCategoryChain(ctx);
    await pool.query('update categories set enable = false where id = $1', [top]);
    for (const category_id of [[999_999], [top], [leaf], [top, leaf]])
      expect(await errorOf(post(headers, { category_id, document }))).toEqual([400, 'document.unknownCategory']);
  });

  test.each([
    ['a price below zero', { price: -1 }],
    ['a price over a million', { price: 1_000_001 }],
    ['a price with a fraction', { price: 1.5 }],
    ['a price as text', { price: '10' }],
    ['an empty title', { title: '   ' }],
    ['a title of two lines', { title: '一\n二' }],
    ['a title of 256 characters', { title: '长'.repeat(256) }],
    ['a given owner', { user_id: 1 }],
    ['a given status', { status: 2 }],
    ['a given award', { award: 100 }],
    ['an unknown visibility', { visibility: 3 }],
  ])('is rejected with %s', async (_, invalidInput) => {
    const { id: userId, headers } = await newUploader(ctx);
    const attachment_id = await newUpload(ctx, userId);
    const payload = {
      category_id: await createCategoryChain(ctx),
      document: [{ title: '丁', attachment_id, ...invalidInput }],
    };
    expect(await errorOf(post(headers, payload))).toEqual([400, 'http.invalidInput']);
  });
});

describe('uploads that need a review', () => {
  test('are converted but stay hidden and unpaid until approval, which adds a feed entry once', async () => {
    const { id: userId, headers } = await newUploader(ctx, { enable_document_review: true });
    const [top = 0, leaf = 0] = await createCategoryChain(ctx);
    const attachment_id = await newUpload(ctx, userId);
    const payload = { category_id: [top, leaf], document: [{ title: '待审', attachment_id }] };
    const { id, status } = (await post(headers, payload)).json().document[0];
    expect(status).toBe(6);
    await setConversionState(ctx, id, 'ready');
    expect(await get(headers, `?id=${id}`)).toMatchObject({ status: 6, pages: 3, ready_pages: 3 });
    expect(await get(as.visitor, `?id=${id}`)).toMatchObject({ code: 'document.notFound' });
    expect(await readDocumentCounts(ctx, userId, [top, leaf])).toEqual({ user: 0, categories: [0, 0] });
    const balance = async () => (await app.inject({ url: '/api/v1/user', headers })).json().credit_count;
    await payAwards(ctx);
    expect(await balance()).toBe(0);

    const reviewer = await as.userWith(['DocumentAPI/CheckDocument']);
    const check = (payload: object) =>
      app.inject({ method: 'PUT', url: '/api/v1/document/check', headers: reviewer, payload });
    expect((await check({ id: [id], status: 7 })).json().code).toBe('document.reasonRequired');
    expect((await check({ id: [id], status: 7, reason: '内容不完整' })).statusCode).toBe(200);
    expect(await get(headers, `?id=${id}`)).toMatchObject({
      status: 7,
      reject_reason: '内容不完整',
    });
    expect(await get(as.visitor, `?id=${id}`)).toMatchObject({ code: 'document.notFound' });

    expect((await check({ id: [id], status: 0 })).statusCode).toBe(200);
    expect(await get(as.visitor, `?id=${id}`)).toMatchObject({ status: 2, reject_reason: '' });
    await payAwards(ctx);
    expect(await balance()).toBe(5);
    expect(await readDocumentCounts(ctx, userId, [top, leaf])).toEqual({ user: 1, categories: [1, 1] });

    // A second approval neither pays nor adds a feed entry.
    await check({ id: [id], status: 6 });
    await check({ id: [id], status: 2 });
    await payAwards(ctx);
    expect(await balance()).toBe(5);
    const feedEntries = (await ctx.db.select().from(activities)).filter(({ user_id }) => user_id === userId);
    expect(feedEntries).toHaveLength(1);
  });

  test('need a review only if all roles of the user require it', async () => {
    const strict = await newRole(ctx, [], { enable_upload: true, enable_document_review: true });
    const free = await newRole(ctx, [], { enable_upload: true });
    const { id: userId, headers } = await newMember(ctx, [strict, free]);
    const attachment_id = await newUpload(ctx, userId);
    const payload = {
      category_id: await createCategoryChain(ctx),
      document: [{ title: '免审', attachment_id }],
    };
    expect((await post(headers, payload)).json().document[0].status).toBe(0);
  });
});
