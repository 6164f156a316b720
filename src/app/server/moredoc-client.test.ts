import { inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument, createCategoryChain, newUpload, setConversionState } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember, newRole, permissionIds, roleIdOf, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { accountCalls, roleCalls } from './moredoc-account-calls.fixture.ts';
import type { MoredocCall, MoredocSite } from './moredoc-call.fixture.ts';
import { categoryCalls, communityCalls, documentCalls } from './moredoc-document-calls.fixture.ts';
import { siteCalls } from './moredoc-site-calls.fixture.ts';

/** Calls with different method and path, taken from the API description of moredoc. */
const DISTINCT_CALL_COUNT = 94;

const { app, ctx, as, pool } = await testApp({ runJobs: true });
for (const purpose of ['login', 'register', 'find_password', 'comment'])
  await setSetting(ctx, `security.enable_captcha_${purpose}`, 'false');
await setSetting(ctx, 'security.comment_interval', '0');

const ordinaryRole = await roleIdOf(ctx, '普通用户');
const member = await newMember(ctx, [ordinaryRole]);
const root = await as.root();
const callers = { visitor: {}, member: member.headers, admin: root };

const create = async (path: string, payload: object, headers: { authorization?: string } = root) => {
  const response = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().id as number;
};
async function uploadImage(path: string) {
  const { payload, contentType } = multipartForm(await makePicture());
  const headers = { ...root, 'content-type': contentType };
  const response = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
  return response.json().data as { id: number; path: string };
}

async function seedSite(): Promise<MoredocSite> {
  const publisher = await newPublisher(ctx);
  const document = await publisher.publish(makePdf({ pages: 3 }), '.pdf', { title: '一篇文档' });
  const { category_id } = publisher;
  // The home page shows the first categories.
  await pool.query('update categories set sort = 1000 where id = $1', [category_id[0]]);
  const addOtherDocument = async () => (await addDocument(ctx, publisher, { category_id })).id;
  const [spareDocument, binnedDocument, erasedDocument, ratedDocument] = [
    await addOtherDocument(),
    await addOtherDocument(),
    await addOtherDocument(),
    await addOtherDocument(),
  ];
  await setConversionState(ctx, ratedDocument);
  await ctx.db
    .update(documents)
    .set({ deleted_at: ctx.now().toISOString() })
    .where(inArray(documents.id, [binnedDocument, erasedDocument]));
  const { attachment, uuid } = (await app.inject(`/api/v1/document?id=${document}`)).json();
  const comment = (content: string) => create('/comment', { document_id: document, content }, member.headers);
  const bannerPath = (await uploadImage('/upload/banner')).path;
  await create('/report', { document_id: ratedDocument, reason: 1 }, member.headers);
  await pool.query('update documents set recommend_at = now() where id = $1', [document]);
  await indexQueuedDocuments(ctx);
  const { rows: reports } = await pool.query('select id from reports');
  return {
    document,
    spareDocument,
    binnedDocument,
    erasedDocument,
    uuid,
    bannerPath,
    hash: attachment.hash,
    unusedUpload: await newUpload(ctx, member.id),
    category: category_id[0] ?? 0,
    spareCategory: (await createCategoryChain(ctx, 1))[0] ?? 0,
    member: member.id,
    spareUser: (await newMember(ctx, [ordinaryRole])).id,
    role: ordinaryRole,
    spareRole: await newRole(ctx),
    permission: (await permissionIds(ctx, ['UserAPI/ListUser']))[0] ?? 0,
    comment: await comment('一条评论'),
    spareComment: await comment('另一条评论'),
    spareFavorite: await create('/favorite', { document_id: ratedDocument }, member.headers),
    report: Number(reports[0]?.id),
    friendLink: await create('/friendlink', { title: '友站', link: 'https://example.com' }),
    article: await create('/article', { title: '备用单页', identifier: 'spare' }),
    banner: await create('/banner', { title: '横幅', path: bannerPath }),
    attachment: (await uploadImage('/upload/config')).id,
    passwords: { admin: ADMIN_PASSWORD, member: TEST_PASSWORD },
  };
}

const site = await seedSite();
const calls = [
  ...accountCalls(site),
  ...roleCalls(site),
  ...categoryCalls(site),
  ...documentCalls(site),
  ...communityCalls(site),
  ...siteCalls(site),
];

async function send({ by, call, body, file }: MoredocCall) {
  const [method, path] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  const request = { method, url: `/api/v1${path}` };
  if (file) {
    const form = file === 'image' ? multipartForm(await makePicture()) : multipartForm(makePdf(), '讲义.pdf');
    const headers = { ...callers[by], 'content-type': form.contentType };
    return app.inject({ ...request, headers, payload: form.payload });
  }
  // The client sends the content type JSON in every request, also without a body.
  const headers = { ...callers[by], 'content-type': 'application/json' };
  return app.inject({ ...request, headers, ...(body && { payload: body }) });
}

const valueAt = (response: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], response);

describe('the web client of moredoc 1.1.0', () => {
  test('the calls of the moredoc client include 94 distinct ones', () => {
    const distinctCalls = new Set(calls.map(({ call }) => call.split('?')[0]));
    expect(distinctCalls.size).toBe(DISTINCT_CALL_COUNT);
  });

  test.each(calls)('the moredoc client gets the fields that it reads from $call as $by', async (each) => {
    const response = await send(each);
    expect(response.statusCode, response.body).toBe(each.status ?? 200);
    for (const path of each.reads ?? [])
      expect(valueAt(response.json(), path), `${path} in ${response.body.slice(0, 400)}`).toBeDefined();
  });

  test.each(['cover', 'page'])(
    'the moredoc client is redirected to the %s of a document by the hash of its attachment',
    async (kind) => {
      const address = kind === 'cover' ? `/view/cover/${site.hash}` : `/view/page/${site.hash}/1.svg`;
      const response = await app.inject(address);
      expect(response.statusCode).toBe(302);
      const image = await app.inject(String(response.headers.location));
      expect(image.headers['content-type']).toBe('image/webp');
    },
  );
});
