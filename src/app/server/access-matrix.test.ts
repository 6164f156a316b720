import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { loginHeaders, newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { type Endpoint, permissionOf } from '#platform/contract/endpoint.ts';
import { testApp } from '#testing/test-app.ts';
import { buildServer } from './build-server.ts';
import { apiRoutes } from './routes.ts';

const { app, ctx, pool } = await testApp();

type Headers = { authorization?: string };
type Identity = {
  /** A session of its own for each request: some requests end it. */
  headers: () => Promise<Headers>;
  isLoggedIn: boolean;
  holds: (permission: string) => boolean;
};

const operations = apiRoutes.map(({ endpoint }) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));
const titles = new Map(permissionCatalogue.map(({ name, title }) => [name, title]));
const shapeOf = ({ input }: Endpoint) => input._zod.def.shape as Record<string, z.ZodMiniType>;

/** Reading is asked of row 1, where a row can be named; anything else is sent without input. */
function requestOf(endpoint: Endpoint) {
  const url = `/api/v1${endpoint.path.replace(/:\w+/g, '1')}`;
  if (endpoint.method !== 'GET') return { method: endpoint.method, url };
  const keys = Object.keys(shapeOf(endpoint)).filter((key) => /(^|_)id$/.test(key));
  return { method: endpoint.method, url: `${url}?${keys.map((key) => `${key}=1`).join('&')}` };
}

/** What the declaration says: the refusal, or null where the caller is admitted. */
function refusalOf({ access }: Endpoint, { isLoggedIn, holds }: Identity) {
  if (access === 'public') return null;
  if (!isLoggedIn)
    return {
      status: 401,
      code: 'http.loginRequired',
      message: '您未登录或您的登录已过期，请重新登录或刷新页面重试',
    };
  const permission = permissionOf(access);
  if (permission === null || holds(permission)) return null;
  const message = `您没有权限访问【${titles.get(permission)}】`;
  return { status: 403, code: 'http.forbidden', message };
}

const identities: Record<string, Identity> = {};
beforeAll(async () => {
  const holder = async (role: string, holds: Identity['holds']): Promise<Identity> => {
    const { id } = await newMember(ctx, [await roleIdOf(ctx, role)]);
    return { headers: () => loginHeaders(ctx, id), isLoggedIn: true, holds };
  };
  const nothing = () => false;
  const plain = await newMember(ctx);
  const banned = await newMember(ctx, [await roleIdOf(ctx, '超级管理员')]);
  // By hand, so that the sessions stay: the ban itself must be what refuses.
  await pool.query('update users set is_banned = true where id = $1', [banned.id]);
  Object.assign(identities, {
    visitor: { headers: async () => ({}), isLoggedIn: false, holds: nothing },
    'a user without a role': {
      headers: () => loginHeaders(ctx, plain.id),
      isLoggedIn: true,
      holds: nothing,
    },
    'a banned administrator': {
      headers: () => loginHeaders(ctx, banned.id),
      isLoggedIn: false,
      holds: nothing,
    },
    超级管理员: await holder('超级管理员', () => true),
    内容审核员: await holder('内容审核员', (permission) =>
      /^(DocumentAPI|RecycleAPI|CommentAPI|ReportAPI)\//.test(permission),
    ),
    普通用户: await holder('普通用户', nothing),
    root: { headers: () => loginHeaders(ctx, 1), isLoggedIn: true, holds: () => true },
  });
});

describe('every operation admits and refuses as declared', () => {
  test('there are seven kinds of callers, and no operation is left out', () => {
    expect(Object.keys(identities)).toHaveLength(7);
    expect(operations.length).toBeGreaterThan(60);
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  test.each(operations)('$name', async ({ endpoint }) => {
    for (const [who, identity] of Object.entries(identities)) {
      const headers = await identity.headers();
      const answer = await app.inject({ ...requestOf(endpoint), headers });
      const { statusCode: status } = answer;
      const { code, message } = status === 200 ? { code: '', message: '' } : answer.json();
      const isRefused = code === 'http.loginRequired' || code === 'http.forbidden';
      expect({ who, refusal: isRefused ? { status, code, message } : null }).toEqual({
        who,
        refusal: refusalOf(endpoint, identity),
      });
      expect(status, who).toBeLessThan(500);
    }
  });
});

describe('the server does not start', () => {
  const startWith = async (access: unknown) => {
    const endpoint = {
      method: 'GET',
      path: '/undeclared',
      access,
      summary: '',
      input: z.object({}),
      output: z.object({}),
    } as Endpoint;
    apiRoutes.push({ endpoint, handle: async () => ({}) });
    try {
      await buildServer(ctx, pool, { log: ctx.log as never, pages: null });
    } finally {
      apiRoutes.pop();
    }
  };

  test('with an operation that does not say who may call it', async () => {
    await expect(startWith(undefined)).rejects.toThrow('GET /undeclared declares no access');
  });

  test('with an operation behind a permission that does not exist', async () => {
    await expect(startWith('permission:UserAPI/NoSuch')).rejects.toThrow(
      'GET /undeclared names the unknown permission UserAPI/NoSuch',
    );
  });
});
