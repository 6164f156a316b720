import { beforeEach, describe, expect, test } from 'vitest';
import { numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { newDocument } from './favorite.fixture.ts';
import type { FavoriteFolder } from './folder.contract.ts';

const { app, ctx, pool } = await testApp();
type Headers = { authorization?: string };
let owner: Awaited<ReturnType<typeof newMember>>;
beforeEach(async () => {
  owner = await newMember(ctx);
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers: Headers = owner.headers) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const get = (path: string, headers: Headers = {}) => app.inject({ url: `/api/v1${path}`, headers });
const newFolder = async (title: string, fields: object = {}): Promise<FavoriteFolder> =>
  (await send('POST', '/favorite/folder', { title, ...fields })).json();
const addFavorite = async (folder_id = 0) => {
  const { id } = await newDocument(ctx);
  return (await send('POST', '/favorite', { document_id: id, folder_id })).json();
};
const titlesOf = async (headers: Headers = owner.headers) =>
  (await get(`/favorite/folder/list?user_id=${owner.id}`, headers))
    .json()
    .folder.map(({ title }: FavoriteFolder) => title);
const countOf = async (id: number) => (await get(`/favorite/folder?id=${id}`, owner.headers)).json().favorite_count;

describe('a folder', () => {
  test('is created, renamed, published and deleted, and its favorites remain', async () => {
    const folder = await newFolder('物理');
    expect(folder).toMatchObject({ title: '物理', is_public: false, favorite_count: 0 });
    const { id } = await addFavorite(folder.id);
    expect(await countOf(folder.id)).toBe(1);
    await send('PUT', '/favorite/folder', { id: folder.id, title: '力学', is_public: true });
    const publicResponse = (await get(`/favorite/folder?id=${folder.id}`)).json();
    expect(publicResponse).toMatchObject({
      title: '力学',
      user: { id: owner.id, username: owner.username },
    });
    expect((await send('DELETE', `/favorite/folder?id=${folder.id}`)).json()).toEqual({});
    const remainingFavorites = (await get('/favorite/list', owner.headers)).json();
    expect(remainingFavorites.favorite).toEqual([expect.objectContaining({ id, folder_id: 0 })]);
  });

  test('needs a title that is unique among the folders of its owner', async () => {
    await newFolder('Notes');
    const duplicate = await send('POST', '/favorite/folder', { title: ' notes ' });
    expect([duplicate.statusCode, duplicate.json().message]).toEqual([409, '已有同名的文辑']);
    const otherMember = await newMember(ctx);
    expect((await send('POST', '/favorite/folder', { title: 'Notes' }, otherMember.headers)).statusCode).toBe(200);
    expect((await send('POST', '/favorite/folder', { title: ' ' })).statusCode).toBe(400);
  });

  test('is limited to 100 per user, also under concurrent requests', async () => {
    const responses = await Promise.all(
      numbersUpTo(110).map((at) => send('POST', '/favorite/folder', { title: `文辑 ${at}` })),
    );
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100);
    expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(10);
  });

  test('counts its favorites exactly under concurrent moves and removals', async () => {
    const [firstFolder, secondFolder] = [await newFolder('甲'), await newFolder('乙')];
    const favorites = await Promise.all(numbersUpTo(20).map(() => addFavorite(firstFolder.id)));
    await Promise.all(
      favorites.map(({ id }, at) =>
        at % 2
          ? send('PUT', '/favorite', { id: [id], folder_id: secondFolder.id })
          : send('DELETE', `/favorite?id=${id}`),
      ),
    );
    expect([await countOf(firstFolder.id), await countOf(secondFolder.id)]).toEqual([0, 10]);
    const { rows } = await pool.query('select favorite_count from users where id = $1', [owner.id]);
    expect(rows[0].favorite_count).toBe(10);
  });

  test('is visible to others with its favorites only if it is public', async () => {
    const [publicFolder, privateFolder] = [await newFolder('公开的', { is_public: true }), await newFolder('自己的')];
    await addFavorite(publicFolder.id);
    await addFavorite(privateFolder.id);
    await addFavorite();
    expect(await titlesOf({})).toEqual(['公开的']);
    expect((await get(`/favorite/folder?id=${privateFolder.id}`)).statusCode).toBe(404);
    expect((await get(`/favorite/list?folder_id=${privateFolder.id}`)).statusCode).toBe(404);
    expect((await get(`/favorite/list?user_id=${owner.id}`)).json().total).toBe(2);
    expect((await get(`/favorite/list?folder_id=${publicFolder.id}`)).json().total).toBe(1);
    // Activities do not show favorites in private folders.
    expect((await get(`/user/dynamic?id=${owner.id}`)).json().total).toBe(2);
    // The link of a public folder works even if the favorites are hidden.
    await send('PUT', '/user/privacy', { hide_favorite: true });
    expect((await get(`/favorite/list?folder_id=${publicFolder.id}`)).json().total).toBe(1);
    expect((await get(`/favorite/folder/list?user_id=${owner.id}`)).statusCode).toBe(403);
  });

  test('that is or becomes private removes its favorites from activities and notifications', async () => {
    const privateFolder = await newFolder('自己的');
    const publicFolder = await newFolder('以后自己的', { is_public: true });
    const documents = [await newDocument(ctx), await newDocument(ctx), await newDocument(ctx)];
    const favoriteIds: number[] = [];
    for (const { id } of documents) favoriteIds.push((await send('POST', '/favorite', { document_id: id })).json().id);
    const [first, second, third] = favoriteIds;
    const unreadCounts = async () => {
      const responses = documents.map(({ author }) => get('/notification/unread', author.headers));
      return (await Promise.all(responses)).map((response) => response.json().unread);
    };
    const feed = async () => (await get(`/user/dynamic?id=${owner.id}`)).json().total;
    expect([await unreadCounts(), await feed()]).toEqual([[1, 1, 1], 3]);
    await send('PUT', '/favorite', { id: [first], folder_id: privateFolder.id });
    expect([await unreadCounts(), await feed()]).toEqual([[0, 1, 1], 2]);
    await send('PUT', '/favorite', { id: [second], folder_id: publicFolder.id });
    expect([await unreadCounts(), await feed()]).toEqual([[0, 1, 1], 2]);
    await send('PUT', '/favorite/folder', { id: publicFolder.id, is_public: false });
    expect([await unreadCounts(), await feed()]).toEqual([[0, 0, 1], 1]);
    await send('DELETE', `/favorite?id=${third}`);
    expect([await unreadCounts(), await feed()]).toEqual([[0, 0, 0], 0]);
    // The author may still see that the document was favored.
    const [firstDocument] = documents;
    const authorActivities = (await get('/user/dynamic', firstDocument?.author.headers)).json().dynamic;
    expect(authorActivities).toContainEqual(expect.objectContaining({ content: expect.stringContaining('被收藏') }));
  });

  test('has an order of favorites that its owner arranges, as do the folders', async () => {
    const folder = await newFolder('有序');
    const favoriteIds: number[] = [];
    for (let number = 0; number < 4; number++) favoriteIds.push((await addFavorite(folder.id)).id);
    const order = async () =>
      (await get(`/favorite/list?folder_id=${folder.id}`, owner.headers))
        .json()
        .favorite.map(({ id }: { id: number }) => favoriteIds.indexOf(id));
    expect(await order()).toEqual([3, 2, 1, 0]);
    await send('PUT', '/favorite/order', { id: favoriteIds[0], position: 2 });
    expect(await order()).toEqual([3, 0, 2, 1]);
    await send('PUT', '/favorite/order', { id: favoriteIds[3], position: 99 });
    expect(await order()).toEqual([0, 2, 1, 3]);
    favoriteIds.push((await addFavorite(folder.id)).id);
    expect(await order()).toEqual([4, 0, 2, 1, 3]);
    const withoutFolder = await addFavorite();
    expect((await send('PUT', '/favorite/order', { id: withoutFolder.id, position: 1 })).statusCode).toBe(400);

    const [second, third] = [await newFolder('第二'), await newFolder('第三')];
    expect(await titlesOf()).toEqual(['有序', '第二', '第三']);
    await send('PUT', '/favorite/folder/order', { id: [third.id, second.id] });
    expect(await titlesOf()).toEqual(['第三', '第二', '有序']);
  });
});
