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
  /** Opens a new session for each request, because some requests end the session. */
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

/** A GET request names the row 1 where it takes an id; other requests are sent without input. */
function requestOf(endpoint: Endpoint) {
  const url = `/api/v1${endpoint.path.replace(/:\w+/g, '1')}`;
  if (endpoint.method !== 'GET') return { method: endpoint.method, url };
  const keys = Object.keys(shapeOf(endpoint)).filter((key) => /(^|_)id$/.test(key));
  return { method: endpoint.method, url: `${url}?${keys.map((key) => `${key}=1`).join('&')}` };
}

/** The error that the declaration of the endpoint requires for the caller, or null if the caller has access. */
function expectedRefusal({ access }: Endpoint, { isLoggedIn, holds }: Identity) {
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
  const memberWithRole = async (role: string, holds: Identity['holds']): Promise<Identity> => {
    const { id } = await newMember(ctx, [await roleIdOf(ctx, role)]);
    return { headers: () => loginHeaders(ctx, id), isLoggedIn: true, holds };
  };
  const noPermission = () => false;
  const memberWithoutRole = await newMember(ctx);
  const bannedMember = await newMember(ctx, [await roleIdOf(ctx, '超级管理员')]);
  // With SQL, so that the sessions stay: the ban itself must cause the refusal.
  await pool.query('update users set is_banned = true where id = $1', [bannedMember.id]);
  Object.assign(identities, {
    visitor: { headers: async () => ({}), isLoggedIn: false, holds: noPermission },
    'a user without a role': {
      headers: () => loginHeaders(ctx, memberWithoutRole.id),
      isLoggedIn: true,
      holds: noPermission,
    },
    'a banned administrator': {
      headers: () => loginHeaders(ctx, bannedMember.id),
      isLoggedIn: false,
      holds: noPermission,
    },
    超级管理员: await memberWithRole('超级管理员', () => true),
    内容审核员: await memberWithRole('内容审核员', (permission) =>
      /^(DocumentAPI|RecycleAPI|CommentAPI|ReportAPI)\//.test(permission),
    ),
    普通用户: await memberWithRole('普通用户', noPermission),
    root: { headers: () => loginHeaders(ctx, 1), isLoggedIn: true, holds: () => true },
  });
});

describe('every API operation grants and denies access as declared', () => {
  test('the access matrix has seven kinds of callers and no duplicate operation', () => {
    expect(Object.keys(identities)).toHaveLength(7);
    expect(operations.length).toBeGreaterThan(60);
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  test.each(operations)('$name grants access to the declared callers and rejects the others', async ({ endpoint }) => {
    for (const [caller, identity] of Object.entries(identities)) {
      const headers = await identity.headers();
      const response = await app.inject({ ...requestOf(endpoint), headers });
      const { statusCode: status } = response;
      const { code, message } = status === 200 ? { code: '', message: '' } : response.json();
      const isRefused = code === 'http.loginRequired' || code === 'http.forbidden';
      expect({ caller, refusal: isRefused ? { status, code, message } : null }).toEqual({
        caller,
        refusal: expectedRefusal(endpoint, identity),
      });
      expect(status, caller).toBeLessThan(500);
    }
  });
});

describe('buildServer throws', () => {
  const buildWithAccess = async (access: unknown) => {
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

  test('for an endpoint that declares no access', async () => {
    await expect(buildWithAccess(undefined)).rejects.toThrow('GET /undeclared declares no access');
  });

  test('for an endpoint with an unknown permission', async () => {
    await expect(buildWithAccess('permission:UserAPI/NoSuch')).rejects.toThrow(
      'GET /undeclared names the unknown permission UserAPI/NoSuch',
    );
  });
});
