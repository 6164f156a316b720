import { expect, test } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader, pdfOf } from '#modules/document/document.fixture.ts';
import { indexQueuedDocuments } from '#modules/search/index/index-documents.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
type Row = { id: number; attachment: object; document?: Row };
const { app, ctx, as } = await testApp();
const author = await newUploader(ctx);
const reader = await as.user();
const category_id = await createCategoryChain(ctx);
const bytes = pdfOf('观潮记');
const rendition = { pages: 3, ready_pages: 3, view: 'pages' } as const;
const publish = (title: string, file = pdfOf()) =>
  addConvertedDocument(ctx, author, { category_id, title, bytes: file }, rendition);
const id = await publish('观潮记', bytes);
const otherId = await publish('另一篇');
await indexQueuedDocuments(ctx);

const get = async (path: string, headers: Headers = as.visitor) =>
  (await app.inject({ url: `/api/v1${path}`, headers })).json();
const { hash } = (await get(`/document?id=${id}`)).attachment;
const attachmentIn = (rows: Row[]) => rows.find((row) => row.id === id)?.attachment;

test('attachment has the same hash, extension and size in every list whose rows are documents', async () => {
  const call = { url: '/api/v1/favorite', headers: reader };
  await app.inject({ ...call, method: 'POST', payload: { document_id: id } });
  const position = { url: '/api/v1/document/position', headers: reader };
  await app.inject({ ...position, method: 'PUT', payload: { id, page: 1, offset: 0 } });
  const list = await get('/document/list');
  const home = await get('/document/home?limit=100');
  const relatedDocuments = await get(`/document/related?id=${otherId}`);
  const search = await get('/document/search?wd=观潮记');
  const favorites = await get('/favorite/list', reader);
  const history = await get('/document/history', reader);
  const categoryGroup = home.document.find((each: Row & { category_id: number }) =>
    category_id.includes(each.category_id),
  );
  const remove = { method: 'DELETE', url: `/api/v1/document?id=${id}` } as const;
  await app.inject({ ...remove, headers: author.headers });
  const recycle = await get('/document/recycle', author.headers);
  const expected = { hash, ext: '.pdf', size: bytes.length };
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect({
    list: attachmentIn(list.document),
    home: attachmentIn(categoryGroup.document),
    related: attachmentIn(relatedDocuments.document),
    search: attachmentIn(search.document),
    favorites: favorites.favorite[0].document.attachment,
    history: history.history[0].document.attachment,
    recycle: attachmentIn(recycle.document),
  }).toEqual({
    list: expected,
    home: expected,
    related: expected,
    search: expected,
    favorites: expected,
    history: expected,
    recycle: expected,
  });
});
