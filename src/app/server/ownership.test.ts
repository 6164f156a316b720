import { beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { openSession } from '#modules/account/session.ts';
import { addDocument, createCategoryChain, newUpload } from '#modules/document/document.fixture.ts';
import { newMember, roleIdOf, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, ctx, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');

type OwnedResource = {
  create: (userId: number) => Promise<number>;
  rest?: Record<string, unknown>;
  /** Builds the whole input if the id is nested. */
  inputOf?: (ids: number[]) => Record<string, unknown>;
  /** Status codes of the rejection of another user, by default 403 and 404. */
  rejectedWith?: number[];
  table: string;
};

const emailOf = (userId: number) => `reader${userId}@mail.example`;
const account = { create: async (userId: number) => userId, table: 'users' };
const session = {
  create: async (userId: number) => {
    await openSession(ctx, userId);
    const { rows } = await pool.query('select max(id)::int as id from sessions where user_id = $1', [userId]);
    return rows[0].id as number;
  },
  table: 'sessions',
};

const category_id = await createCategoryChain(ctx);
const document = {
  create: async (userId: number) => (await addDocument(ctx, { id: userId }, { category_id })).id,
  table: 'documents',
};
const deletedDocument = {
  create: async (userId: number) => {
    const id = await document.create(userId);
    await pool.query('update documents set deleted_at = $2, deleted_user_id = user_id where id = $1', [id, ctx.now()]);
    return id;
  },
  table: 'documents',
};
const unusedUpload = {
  create: (userId: number) => newUpload(ctx, userId),
  inputOf: (ids: number[]) => ({
    category_id,
    document: ids.map((attachment_id) => ({ title: '一篇文档', attachment_id })),
  }),
  // The upload of another user is reported as not existing.
  rejectedWith: [400],
  table: 'documents',
};

const privateDocument = async (userId: number) => {
  const id = await document.create(userId);
  await pool.query('update documents set visibility = 2 where id = $1', [id]);
  return id;
};
const newFolder = async (userId: number) => {
  const { rows } = await pool.query('insert into favorite_folders (user_id, title) values ($1, $2) returning id::int', [
    userId,
    crypto.randomUUID(),
  ]);
  return rows[0].id as number;
};
const folder = { create: newFolder, table: 'favorite_folders' };
const favorite = {
  create: async (userId: number) => {
    const { rows } = await pool.query(
      `insert into favorites (user_id, document_id, folder_id, created_at) values ($1, $2, $3, now())
       returning id::int`,
      [userId, await document.create(userId), await newFolder(userId)],
    );
    return rows[0].id as number;
  },
  table: 'favorites',
};
const comment = {
  create: async (userId: number) => {
    const { rows } = await pool.query(
      `insert into comments (user_id, document_id, content, status, created_at)
       values ($1, $2, '一条评论', 1, $3) returning id::int`,
      [userId, await document.create(userId), ctx.now()],
    );
    return rows[0].id as number;
  },
  table: 'comments',
};
const notification = {
  create: async (userId: number) => {
    const { rows } = await pool.query(
      `insert into notifications (user_id, kind, key, created_at) values ($1, 'follow', $2, now())
       returning id::int`,
      [userId, crypto.randomUUID()],
    );
    return rows[0].id as number;
  },
  table: 'notifications',
};

/** Operations on a resource of a user. The test fails for an operation that is missing here. */
const ownedResources: Record<string, OwnedResource> = {
  'PUT /user/profile': {
    create: async (userId) => {
      await pool.query('update users set email = $2 where id = $1', [userId, emailOf(userId)]);
      return userId;
    },
    inputOf: ([id = 0]) => ({ id, email: emailOf(id), signature: '新的签名' }),
    table: 'users',
  },
  'PUT /user/password': {
    ...account,
    rest: { old_password: TEST_PASSWORD, new_password: 'another-password' },
  },
  'DELETE /user/session': session,
  'POST /document': unusedUpload,
  'DELETE /upload/document': { create: unusedUpload.create, table: 'attachments' },
  'PUT /document': { ...document, rest: { title: '新的名称' } },
  'DELETE /document': document,
  'PUT /document/recycle': deletedDocument,
  'PUT /document/position': {
    create: privateDocument,
    rest: { page: 1 },
    table: 'reading_positions',
  },
  'DELETE /document/history': {
    create: async (userId) => {
      const id = await document.create(userId);
      await pool.query(
        `insert into reading_positions (user_id, document_id, page, "offset", progress, read_at)
         values ($1, $2, 1, 0, 0, $3)`,
        [userId, id, ctx.now()],
      );
      return id;
    },
    table: 'reading_positions',
  },
  'POST /favorite': { create: privateDocument, table: 'favorites' },
  'PUT /favorite': { ...favorite, rest: { folder_id: 0 } },
  'PUT /favorite/order': { ...favorite, rest: { position: 1 } },
  'DELETE /favorite': favorite,
  'PUT /favorite/folder': { ...folder, rest: { title: '新的名称' } },
  'PUT /favorite/folder/order': folder,
  'DELETE /favorite/folder': folder,
  'POST /comment': { create: privateDocument, rest: { content: '一条评论' }, table: 'comments' },
  'PUT /comment': { ...comment, rest: { content: '新的内容' } },
  'DELETE /comment': comment,
  'PUT /notification/read': notification,
  'DELETE /notification': notification,
};

/**
 * Tested in their modules: an upload that is identified by its hash, operations on other users or their documents, and
 * operations on a file that failed to convert.
 */
const testedElsewhere = [
  'POST /upload/instant',
  'POST /upload/archive',
  'POST /upload/archive/document',
  'POST /follow',
  'DELETE /follow',
  'POST /document/score',
  'POST /report',
  'POST /document/unlock',
  'PUT /document/file',
];

const shapeOf = ({ input }: Endpoint) => input._zod.def.shape as Record<string, z.ZodMiniType>;
const idKeyOf = (endpoint: Endpoint) =>
  Object.keys(shapeOf(endpoint)).find((key) => /(^|_)id$/.test(key) && key !== 'captcha_id');
type Def = { type: string; innerType?: z.ZodMiniType };
const isList = (schema: z.ZodMiniType | undefined): boolean => {
  const { type, innerType } = (schema?._zod.def ?? { type: '' }) as Def;
  return innerType ? isList(innerType) : type === 'array';
};

/**
 * Operations for all logged-in users on a resource with an id: only the owner may use them. Lists are tested in their
 * modules.
 */
const operations = apiRoutes
  .filter(({ endpoint }) => endpoint.access === 'user' && endpoint.method !== 'GET')
  .flatMap(({ endpoint }) => {
    const idKey = idKeyOf(endpoint);
    return idKey ? [{ name: `${endpoint.method} ${endpoint.path}`, endpoint, idKey }] : [];
  })
  .filter(({ name }) => !testedElsewhere.includes(name));

const defaultRole = await roleIdOf(ctx, '普通用户');
let owner = await newMember(ctx, [defaultRole]);
let otherUser = owner;
beforeEach(async () => {
  owner = await newMember(ctx, [defaultRole]);
  otherUser = await newMember(ctx, [defaultRole]);
});

function resourceOf(name: string): OwnedResource {
  const resource = ownedResources[name];
  if (!resource) throw new Error(`ownedResources has no entry for ${name}`);
  return resource;
}

function send(endpoint: Endpoint, input: Record<string, unknown>, headers: object) {
  const url = `/api/v1${endpoint.path}`;
  if (endpoint.method === 'PUT' || endpoint.method === 'POST')
    return app.inject({ method: endpoint.method, url, headers: { ...headers }, payload: input });
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) for (const each of [value].flat()) query.append(key, String(each));
  return app.inject({ method: endpoint.method, url: `${url}?${query}`, headers: { ...headers } });
}

const rowsOf = async (table: string) => (await pool.query(`select * from ${table} order by 1`)).rows;

describe('a resource of another user', () => {
  test('the tested operations on resources of users include ending a session', () => {
    expect(operations.map(({ name }) => name)).toContain('DELETE /user/session');
  });

  test.each(operations)('rejects $name and stays unchanged', async ({ name, endpoint, idKey }) => {
    const { create, rest = {}, inputOf, rejectedWith = [403, 404], table } = resourceOf(name);
    const takesList = isList(shapeOf(endpoint)[idKey]);
    const defaultInput = (ids: number[]) => ({ ...rest, [idKey]: takesList ? ids : ids[0] });
    const sendAsOtherUser = (ids: number[]) => send(endpoint, (inputOf ?? defaultInput)(ids), otherUser.headers);
    const [myId, ownersId] = [await create(otherUser.id), await create(owner.id)];
    const before = await rowsOf(table);
    const lists = takesList ? [[ownersId], [myId, ownersId], [ownersId, myId]] : [[ownersId]];
    for (const ids of lists) {
      const { statusCode } = await sendAsOtherUser(ids);
      expect(rejectedWith, JSON.stringify(ids)).toContain(statusCode);
      expect(await rowsOf(table)).toEqual(before);
    }
    // The same input succeeds for a resource of the caller, so the rejection had no other reason.
    expect((await sendAsOtherUser([myId])).statusCode).toBe(200);
    expect(await rowsOf(table)).not.toEqual(before);
  });
});
