import { describe, expect, test } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  payAwards,
  readDocumentCounts,
} from '#modules/document/document.fixture.ts';
import { newMember, newStaff, roleIdOf } from '#modules/role/role.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { generateSitemap } from '#modules/sitemap/generate-sitemap.ts';
import { testApp } from '#testing/test-app.ts';
import { documentPaths } from './document-paths.fixture.ts';

type Headers = { authorization?: string; cookie?: string };
const { app, ctx, as } = await testApp({ runJobs: true });

const SECRET = 'Confidential minutes of the board';
const title = '还没有通过审核的纪要';
const owner = await newUploader(ctx, { enable_document_review: true });
const member = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
const reviewer = await newStaff(ctx, ['DocumentAPI/ListDocument', 'DocumentAPI/CheckDocument']);
const category_id = await createCategoryChain(ctx);
const bytes = makePdf({ pages: 2, text: () => SECRET });
const { id, rendition_id } = await addDocument(ctx, owner, { title, category_id, bytes });
await waitForRendition(ctx, rendition_id ?? 0);

const get = (url: string, headers: Headers = {}) => app.inject({ url, headers });
const api = (path: string, headers: Headers = {}) => get(`/api/v1${path}`, headers);
const insiders = [
  ['its owner', owner.headers],
  ['a reviewer', reviewer.headers],
] as const;
const outsiders = [
  ['visitors', as.visitor],
  ['other users', member.headers],
] as const;

describe('a converted document under review', () => {
  test.each(insiders)('is read by %s with pages, text, words, hits and cover', async (_, headers) => {
    const row = (await api(`/document?id=${id}`, headers)).json();
    expect(row).toMatchObject({ status: 6, pages: 2, ready_pages: 2 });
    const { page } = (await api(`/document/pages?id=${id}`, headers)).json();
    expect(page).toHaveLength(2);
    for (const url of [row.cover, page[0].url]) expect((await get(url, headers)).statusCode).toBe(200);
    expect((await api(`/document/text?id=${id}`, headers)).body).toContain(SECRET);
    expect((await api(`/document/words?id=${id}&page=1`, headers)).body).toContain('Confidential');
    expect((await api(`/document/find?id=${id}&wd=Confidential`, headers)).body).toContain('Confidential');
  });

  test.each(outsiders)('returns 404 to %s in every endpoint that names it', async (_, headers) => {
    for (const path of documentPaths) {
      const response = await api(`${path}id=${id}`, headers);
      expect([path, response.statusCode, response.json().code]).toEqual([path, 404, 'document.notFound']);
    }
  });

  test.each(outsiders)('shows no page image and no cover to %s who know the links', async (_, headers) => {
    const { cover, attachment } = (await api(`/document?id=${id}`, owner.headers)).json();
    const { page } = (await api(`/document/pages?id=${id}`, owner.headers)).json();
    for (const url of [cover, page[0].url]) expect((await get(url, headers)).statusCode).toBe(403);
    expect((await get(`/view/cover/${attachment.hash}`, headers)).statusCode).not.toBe(200);
    expect((await get(`/view/page/${attachment.hash}/1.svg`, headers)).statusCode).not.toBe(200);
  });

  test.each(outsiders)('is in no list, search or progress of %s', async (_, headers) => {
    await indexQueuedDocuments(ctx);
    const paths = [
      `/document/list?user_id=${owner.id}`,
      `/document/list?category_id=${category_id[0]}`,
      `/document/list?limit=100&id=${id}`,
      `/document/progress?id=${id}`,
      `/document/search?wd=${encodeURIComponent(title)}`,
      '/document/search?wd=Confidential',
    ];
    for (const path of paths) {
      const response = await api(path, headers);
      expect([path, response.statusCode, response.json().document]).toEqual([path, 200, []]);
    }
  });

  test('is in no count, feed, sitemap or statistics, and earns nothing', async () => {
    await payAwards(ctx);
    expect(await readDocumentCounts(ctx, owner.id, category_id)).toEqual({
      user: 0,
      categories: category_id.map(() => 0),
    });
    expect((await api('/user', owner.headers)).json().credit_count).toBe(0);
    expect((await get('/feed.atom')).body).not.toContain(`/document/${id}<`);
    await generateSitemap.run(
      ctx,
      { isFullBuildRequested: true },
      { signal: new AbortController().signal, attempt: 1 },
    );
    expect((await get('/sitemap/documents-1.xml')).body).not.toContain(`/document/${id}<`);
    expect((await get('/')).body).not.toContain(title);
  });

  test('is readable for visitors immediately after its approval', async () => {
    const payload = { id: [id], status: 0 };
    const check = { method: 'PUT', url: '/api/v1/document/check', headers: reviewer.headers, payload } as const;
    expect((await app.inject(check)).statusCode).toBe(200);
    expect((await api(`/document/pages?id=${id}`)).json().page).toHaveLength(2);
    await payAwards(ctx);
    expect((await api('/user', owner.headers)).json().credit_count).toBe(5);
  });
});
