import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx, as } = await testApp();
const PAGES = 40;
const author = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const rendition = { pages: PAGES, ready_pages: PAGES, view: 'pages' } as const;
const publish = (title: string) => addConvertedDocument(ctx, author, { category_id, title }, rendition);
const id = await publish('观潮记');
const otherId = await publish('另一篇');
await indexQueuedDocuments(ctx);

const get = async (url: string, headers: Headers) => (await app.inject({ url: `/api/v1${url}`, headers })).json();

async function previews(headers: Headers) {
  const favorite = { method: 'POST', url: '/api/v1/favorite', headers } as const;
  await app.inject({ ...favorite, payload: { document_id: id } });
  const position = { method: 'PUT', url: '/api/v1/document/position', headers } as const;
  await app.inject({ ...position, payload: { id, page: 1, offset: 0 } });
  const search = await get('/document/search?wd=观潮记', headers);
  const relatedDocuments = await get(`/document/related?id=${otherId}`, headers);
  const history = await get('/document/history', headers);
  const favorites = await get('/favorite/list', headers);
  return {
    search: search.document[0].preview,
    related: relatedDocuments.document[0].preview,
    history: history.history[0].document.preview,
    favorites: favorites.favorite[0].document.preview,
  };
}
const samePreviewInAllLists = (preview: number) => ({
  search: preview,
  related: preview,
  history: preview,
  favorites: preview,
});

beforeEach(() => setSetting(ctx, 'converter.max_preview', '0'));

test('preview in rows of search, related documents, history and favorites is the number of pages that the caller may read', async () => {
  const member = await newMember(ctx, [await newRole(ctx, [], { max_preview: 0 })]);
  expect(await previews(member.headers)).toEqual(samePreviewInAllLists(0));
  await setSetting(ctx, 'converter.max_preview', '8');
  expect(await previews(member.headers)).toEqual(samePreviewInAllLists(8));
  const limitedMember = await newMember(ctx, [await newRole(ctx, [], { max_preview: 4 })]);
  expect(await previews(limitedMember.headers)).toEqual(samePreviewInAllLists(4));
  const visitor = await get('/document/search?wd=观潮记', as.visitor);
  expect(visitor.document[0].preview).toBe(8);
});

test('preview in rows of search, related documents, history and favorites is the stored limit for the owner and for administrators', async () => {
  await setSetting(ctx, 'converter.max_preview', '8');
  await ctx.db.update(documents).set({ preview: 12 }).where(eq(documents.id, id));
  expect(await previews(author.headers)).toEqual(samePreviewInAllLists(12));
  expect(await previews(await as.root())).toEqual(samePreviewInAllLists(12));
});
