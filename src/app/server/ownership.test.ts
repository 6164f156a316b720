import { beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { openSession } from '#modules/account/session.ts';
import { addDocument, newBranch, newUpload } from '#modules/document/document.fixture.ts';
import { newMember, PASSWORD, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, ctx, pool } = await testApp();
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');

type OwnedThing = {
  /** Makes a thing that belongs to this user and gives its id. */
  make: (userId: number) => Promise<number>;
  /** The rest of a valid input. */
  rest?: Record<string, unknown>;
  /** The whole input, where the thing is named deeper in it. */
  inputOf?: (ids: number[]) => Record<string, unknown>;
  /** How a stranger is refused: 403 or 404 unless it says otherwise. */
  refused?: number[];
  /** The table that must stay as it is. */
  table: string;
};

const addressOf = (userId: number) => `reader${userId}@mail.example`;
const account = { make: async (userId: number) => userId, table: 'users' };
const session = {
  make: async (userId: number) => {
    await openSession(ctx, userId);
    const { rows } = await pool.query('select max(id)::int as id from sessions where user_id = $1', [userId]);
    return rows[0].id as number;
  },
  table: 'sessions',
};

const category_id = await newBranch(ctx);
const document = {
  make: async (userId: number) => (await addDocument(ctx, { id: userId }, { category_id })).id,
  table: 'documents',
};
const deletedDocument = {
  make: async (userId: number) => {
    const id = await document.make(userId);
    await pool.query('update documents set deleted_at = $2, deleted_user_id = user_id where id = $1', [id, ctx.now()]);
    return id;
  },
  table: 'documents',
};
const waitingFile = {
  make: (userId: number) => newUpload(ctx, userId),
  inputOf: (ids: number[]) => ({
    category_id,
    document: ids.map((attachment_id) => ({ title: '一篇文档', attachment_id })),
  }),
  // A file of somebody else is to its stranger no file at all.
  refused: [400],
  table: 'documents',
};

/** Others neither see it nor may they do anything with it. */
const privateDocument = async (userId: number) => {
  const id = await document.make(userId);
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
const folder = { make: newFolder, table: 'favorite_folders' };
const favorite = {
  make: async (userId: number) => {
    const { rows } = await pool.query(
      `insert into favorites (user_id, document_id, folder_id, created_at) values ($1, $2, $3, now())
       returning id::int`,
      [userId, await document.make(userId), await newFolder(userId)],
    );
    return rows[0].id as number;
  },
  table: 'favorites',
};
const comment = {
  make: async (userId: number) => {
    const { rows } = await pool.query(
      `insert into comments (user_id, document_id, content, status, created_at)
       values ($1, $2, '一条评论', 1, $3) returning id::int`,
      [userId, await document.make(userId), ctx.now()],
    );
    return rows[0].id as number;
  },
  table: 'comments',
};
const notification = {
  make: async (userId: number) => {
    const { rows } = await pool.query(
      `insert into notifications (user_id, kind, key, created_at) values ($1, 'follow', $2, now())
       returning id::int`,
      [userId, crypto.randomUUID()],
    );
    return rows[0].id as number;
  },
  table: 'notifications',
};

/** Operations that name something of somebody's. One that is missing here fails below. */
const ownedThings: Record<string, OwnedThing> = {
  'PUT /user/profile': {
    make: async (userId) => {
      await pool.query('update users set email = $2 where id = $1', [userId, addressOf(userId)]);
      return userId;
    },
    inputOf: ([id = 0]) => ({ id, email: addressOf(id), signature: '新的签名' }),
    table: 'users',
  },
  'PUT /user/password': {
    ...account,
    rest: { old_password: PASSWORD, new_password: 'another-password' },
  },
  'DELETE /user/session': session,
  'POST /document': waitingFile,
  'PUT /document': { ...document, rest: { title: '新的名称' } },
  'DELETE /document': document,
  'PUT /document/recycle': deletedDocument,
  'PUT /document/position': {
    make: privateDocument,
    rest: { page: 1 },
    table: 'reading_positions',
  },
  'DELETE /document/history': {
    make: async (userId) => {
      const id = await document.make(userId);
      await pool.query(
        `insert into reading_positions (user_id, document_id, page, "offset", progress, read_at)
         values ($1, $2, 1, 0, 0, $3)`,
        [userId, id, ctx.now()],
      );
      return id;
    },
    table: 'reading_positions',
  },
  'POST /favorite': { make: privateDocument, table: 'favorites' },
  'PUT /favorite': { ...favorite, rest: { folder_id: 0 } },
  'PUT /favorite/order': { ...favorite, rest: { position: 1 } },
  'DELETE /favorite': favorite,
  'PUT /favorite/folder': { ...folder, rest: { title: '新的名称' } },
  'PUT /favorite/folder/order': folder,
  'DELETE /favorite/folder': folder,
  'POST /comment': { make: privateDocument, rest: { content: '一条评论' }, table: 'comments' },
  'PUT /comment': { ...comment, rest: { content: '新的内容' } },
  'DELETE /comment': comment,
  'PUT /notification/read': notification,
  'DELETE /notification': notification,
};

/**
 * Tested where they are made: an upload of another user that is named by its hash, what is done to
 * other users or to their documents by its purpose, and what needs a file that failed to convert.
 */
const testedBeside = [
  'POST /upload/instant',
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
/** Also behind optional and default wrappers. */
const isList = (schema: z.ZodMiniType | undefined): boolean => {
  const { type, innerType } = (schema?._zod.def ?? { type: '' }) as Def;
  return innerType ? isList(innerType) : type === 'array';
};

/**
 * What any logged-in user may do to something named by its id: the owner alone decides. What lists
 * show is tested beside them.
 */
const operations = apiRoutes
  .filter(({ endpoint }) => endpoint.access === 'user' && endpoint.method !== 'GET')
  .flatMap(({ endpoint }) => {
    const idKey = idKeyOf(endpoint);
    return idKey ? [{ name: `${endpoint.method} ${endpoint.path}`, endpoint, idKey }] : [];
  })
  .filter(({ name }) => !testedBeside.includes(name));

const usual = await roleIdOf(ctx, '普通用户');
let owner = await newMember(ctx, [usual]);
let stranger = owner;
beforeEach(async () => {
  owner = await newMember(ctx, [usual]);
  stranger = await newMember(ctx, [usual]);
});

function thingOf(name: string): OwnedThing {
  const thing = ownedThings[name];
  if (!thing) throw new Error(`say in ownedThings what ${name} names, so that it is tested`);
  return thing;
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

describe("somebody else's", () => {
  test('there is an operation of that kind', () => {
    expect(operations.map(({ name }) => name)).toContain('DELETE /user/session');
  });

  test.each(operations)('$name is refused, and nothing changes', async ({ name, endpoint, idKey }) => {
    const { make, rest = {}, inputOf, refused = [403, 404], table } = thingOf(name);
    const takesList = isList(shapeOf(endpoint)[idKey]);
    const named = (ids: number[]) => ({ ...rest, [idKey]: takesList ? ids : ids[0] });
    const ask = (ids: number[]) => send(endpoint, (inputOf ?? named)(ids), stranger.headers);
    const [own, others] = [await make(stranger.id), await make(owner.id)];
    const before = await rowsOf(table);
    const lists = takesList ? [[others], [own, others], [others, own]] : [[others]];
    for (const ids of lists) {
      const { statusCode } = await ask(ids);
      expect(refused, JSON.stringify(ids)).toContain(statusCode);
      expect(await rowsOf(table)).toEqual(before);
    }
    // The same on the own is done: it was not refused for something else.
    expect((await ask([own])).statusCode).toBe(200);
    expect(await rowsOf(table)).not.toEqual(before);
  });
});
