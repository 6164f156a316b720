import { afterEach, describe, expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { endSessions } from '#modules/account/session.ts';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { newMember, newRole, PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { TUS_PATH } from '#modules/upload/upload.contract.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

/** Among the cookies of an answer the one that opens pages and files. */
const passCookie = (cookies: string | string[] = []) =>
  [cookies].flat().find((cookie) => cookie.startsWith('douku_pass=')) ?? '';

const { app, as, ctx } = await testApp();
await setSetting(ctx, 'security.enable_captcha_login', 'false');
await setSetting(ctx, 'security.enable_captcha_register', 'false');
const STATEMENT = '周日维护，\n下午回来 & 谢谢。';

type Headers = { authorization?: string; cookie?: string; accept?: string };
const operations = apiRoutes.map(({ endpoint }) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));
const ask = ({ endpoint }: (typeof operations)[number], headers: Headers) =>
  app.inject({
    method: endpoint.method,
    url: `/api/v1${endpoint.path.replace(/:\w+/g, '1')}`,
    headers,
  });
const get = (url: string, headers: Headers = {}) => app.inject({ url, headers });

const demandLogin = () => setSetting(ctx, 'security.login_required', 'true');
async function close() {
  await setSetting(ctx, 'security.close_statement', '<p>周日维护，</p>下午回来 &amp; 谢谢。');
  await setSetting(ctx, 'security.is_close', 'true');
}
afterEach(async () => {
  await setSetting(ctx, 'security.login_required', 'false');
  await setSetting(ctx, 'security.is_close', 'false');
});

async function upload(kind: string) {
  const { payload, contentType } = multipartForm(await makePicture());
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/upload/${kind}`,
    headers: { ...(await as.root()), 'content-type': contentType },
    payload,
  });
  return answer.json().data.path as string;
}
/** The pass a browser is given when a page calls the API. */
async function passOf(headers: Headers): Promise<string> {
  const answer = await get('/api/v1/user/permission', { ...headers, accept: 'application/json' });
  return passCookie(answer.headers['set-cookie']).split(';')[0] ?? '';
}

test('what stays open is what the way in needs, and nothing else', () => {
  const open = operations.filter(({ endpoint }) => endpoint.bypassesSiteAccess).map(({ name }) => name);
  expect(open.sort()).toEqual([
    'DELETE /user/logout',
    'GET /settings',
    'GET /user/captcha',
    'POST /user/email/code',
    'POST /user/findpassword/stepone',
    'POST /user/login',
    'POST /user/register',
    'PUT /user/findpassword/steptwo',
  ]);
});

describe('a site that asks for a login', () => {
  test('answers visitors 401 on every operation but the open ones', async () => {
    await demandLogin();
    for (const operation of operations) {
      const { statusCode, json } = await ask(operation, {});
      if (operation.endpoint.bypassesSiteAccess) expect([operation.name, statusCode]).not.toContain(401);
      else expect([operation.name, statusCode, json().code]).toEqual([operation.name, 401, 'http.loginRequired']);
    }
  });

  test('is open to everybody who is logged in', async () => {
    await demandLogin();
    const headers = await as.user();
    for (const url of ['/api/v1/category/list', '/api/v1/article/list', '/api/v1/user'])
      expect([url, (await get(url, headers)).statusCode]).toEqual([url, 200]);
    expect((await get('/api/v1/category/list', { authorization: 'Bearer x' })).statusCode).toBe(401);
  });

  test('lets people register and log in', async () => {
    await demandLogin();
    const payload = { username: '新来的人', password: PASSWORD, email: 'new@mail.example' };
    const registered = await app.inject({ method: 'POST', url: '/api/v1/user/register', payload });
    expect(registered.statusCode).toBe(200);
    const { username, password } = payload;
    const entered = await app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username, password },
    });
    expect(entered.statusCode).toBe(200);
  });
});

describe('a closed site', () => {
  test('answers everybody 503 with the words of the operator, but for those who may enter the back-office', async () => {
    await close();
    const upload = await as.userWith(['upload/banner']);
    const outside = [{}, await as.user(), upload, { authorization: 'Bearer x' }];
    for (const headers of outside)
      for (const operation of operations.filter(({ endpoint }) => !endpoint.bypassesSiteAccess)) {
        const answer = await ask(operation, headers);
        expect([operation.name, answer.statusCode, answer.json()]).toEqual([
          operation.name,
          503,
          { code: 'site.closed', message: STATEMENT, error: STATEMENT },
        ]);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    const inside = [await as.root(), await as.userWith(['ReportAPI/ListReport'])];
    for (const headers of inside)
      for (const url of ['/api/v1/category/list', '/api/v1/user', '/api/v1/user/permission'])
        expect([url, (await get(url, headers)).statusCode]).toEqual([url, 200]);
  });

  test('opens no session for somebody it would not let in, and says why only to who knows the password', async () => {
    const [reader, keeper] = [await newMember(ctx), await newMember(ctx, [await newRole(ctx, ['MailAPI/ListMail'])])];
    await close();
    const login = (username: string, password: string) =>
      app.inject({ method: 'POST', url: '/api/v1/user/login', payload: { username, password } });
    expect((await login(reader.username, 'not-the-password')).json().message).toBe('用户名或密码错误');
    const refused = await login(reader.username, PASSWORD);
    expect([refused.statusCode, refused.json().message]).toEqual([503, STATEMENT]);
    expect((await login(keeper.username, PASSWORD)).statusCode).toBe(200);
    const registering = await app.inject({
      method: 'POST',
      url: '/api/v1/user/register',
      payload: { username: '来晚的人', password: PASSWORD, email: 'late@mail.example' },
    });
    expect(registering.json().message).toBe('网站已关闭，暂时不允许注册');
  });

  test('opens again at once, and whoever was logged in still is', async () => {
    const headers = await as.user();
    await close();
    expect((await get('/api/v1/user', headers)).statusCode).toBe(503);
    await setSetting(ctx, 'security.is_close', 'false');
    expect((await get('/api/v1/user', headers)).statusCode).toBe(200);
  });
});

describe('files', () => {
  test('are closed like everything else, but for what the login page is dressed with', async () => {
    const [banner, logo] = [await upload('banner'), await upload('config')];
    await setSetting(ctx, 'system.logo', logo);
    const statuses = async (headers: Headers) =>
      [await get(banner, headers), await get(logo, headers)].map(({ statusCode }) => statusCode);
    expect(await statuses({})).toEqual([200, 200]);
    expect((await get(banner)).headers['cache-control']).toMatch(/^public/);
    const reader = await as.user();
    await demandLogin();
    expect(await statuses({})).toEqual([401, 200]);
    expect(await statuses(reader)).toEqual([200, 200]);
    expect((await get(banner, reader)).headers['cache-control']).toMatch(/^private, max-age=/);
    await close();
    expect(await statuses(reader)).toEqual([503, 200]);
    expect(await statuses(await as.root())).toEqual([200, 200]);
  });

  test('so are the pages of documents and uploads in parts, which are no endpoints', async () => {
    const part = async (headers: Headers) =>
      (await app.inject({ method: 'POST', url: `/api/v1${TUS_PATH}`, headers })).statusCode;
    const page = async (headers: Headers) => (await get('/view/abc/1.webp', headers)).statusCode;
    const reader = await as.user();
    await demandLogin();
    expect([await page({}), await page(reader), await part({})]).toEqual([401, 403, 401]);
    await close();
    expect([await page(reader), await part(reader)]).toEqual([503, 503]);
    expect(await page(await as.root())).toBe(403);
  });

  test('so is the description of the API; health and metrics stay reachable', async () => {
    await close();
    for (const url of ['/api/docs', '/api/docs/json', '/nothing'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 503]);
    for (const url of ['/healthz', '/readyz', '/metrics'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
  });
});

describe('the pass of a browser', () => {
  test('is given only while the site asks who comes in, and shows files until the session ends', async () => {
    const { id, headers } = await newMember(ctx);
    const banner = await upload('banner');
    expect(await passOf(headers)).toBe('');
    await demandLogin();
    const answer = await get('/api/v1/user/permission', headers);
    expect(passCookie(answer.headers['set-cookie'])).toMatch(
      /^douku_pass=\d+\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = await passOf(headers);
    expect((await get(banner, { cookie: `a=b; ${cookie}` })).statusCode).toBe(200);
    expect(await passOf({ ...headers, cookie })).toBe('');
    await endSessions(ctx, id);
    expect((await get(banner, { cookie })).statusCode).toBe(401);
  });

  test('is no token: the API does not look at it, and a forged one opens nothing', async () => {
    const { headers } = await newMember(ctx);
    const banner = await upload('banner');
    await demandLogin();
    const cookie = await passOf(headers);
    expect((await get('/api/v1/user', { cookie })).statusCode).toBe(401);
    const pass = cookie.split('=')[1] ?? '';
    expect((await get('/api/v1/user', { authorization: `Bearer ${pass}` })).statusCode).toBe(401);
    const [session, key = ''] = pass.split('.');
    for (const forged of [
      `${Number(session) - 1}.${key}`,
      `${session}.${'A'.repeat(43)}`,
      `${session}.`,
      `${'9'.repeat(15)}.${key}`,
      '',
      '%00',
    ])
      expect((await get(banner, { cookie: `douku_pass=${forged}` })).statusCode).toBe(401);
  });

  test('is taken back when a page calls without a token, not when somebody opens a link', async () => {
    const { headers } = await newMember(ctx);
    await demandLogin();
    const cookie = await passOf(headers);
    const linked = await get('/api/v1/settings', { cookie, accept: 'text/html' });
    expect(linked.headers['set-cookie']).toBeUndefined();
    const called = await get('/api/v1/settings', { cookie, accept: 'application/json' });
    expect(called.headers['set-cookie']).toMatch(/^douku_pass=; Max-Age=0; Path=\/; HttpOnly/);
  });

  test('of a banned account opens nothing', async () => {
    const { id, headers } = await newMember(ctx);
    const banner = await upload('banner');
    await demandLogin();
    const cookie = await passOf(headers);
    await createUser(ctx, { username: '旁观者甲', password: PASSWORD });
    await app.inject({
      method: 'PUT',
      url: '/api/v1/user/ban',
      headers: await as.root(),
      payload: { id: [id], ban: true, reason: '试' },
    });
    expect((await get(banner, { cookie })).statusCode).toBe(401);
  });
});
