import { afterEach, describe, expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { endSessions } from '#modules/account/session.ts';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { newMember, newRole, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { TUS_PATH } from '#modules/upload/upload.contract.ts';
import { testApp } from '#testing/test-app.ts';
import { rowsForTier } from '#testing/test-tier.ts';
import { apiRoutes } from './routes.ts';

const findAccessCookie = (cookies: string | string[] = []) =>
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
const callOperation = ({ endpoint }: (typeof operations)[number], headers: Headers) =>
  app.inject({
    method: endpoint.method,
    url: `/api/v1${endpoint.path.replace(/:\w+/g, '1')}`,
    headers,
  });
const get = (url: string, headers: Headers = {}) => app.inject({ url, headers });

const requireLogin = () => setSetting(ctx, 'security.login_required', 'true');
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
/** The site access cookie that a browser gets when a page calls the API. */
async function accessCookieOf(headers: Headers): Promise<string> {
  const answer = await get('/api/v1/user/permission', { ...headers, accept: 'application/json' });
  return findAccessCookie(answer.headers['set-cookie']).split(';')[0] ?? '';
}

test('only the endpoints for settings, login, logout, registration and password recovery bypass the site access check', () => {
  const bypassingOperations = operations.filter(({ endpoint }) => endpoint.bypassesSiteAccess).map(({ name }) => name);
  expect(bypassingOperations.sort()).toEqual([
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

describe('a site that requires a login', () => {
  test('answers visitors with 401 on every operation that does not bypass the check', async () => {
    await requireLogin();
    for (const operation of operations) {
      const { statusCode, json } = await callOperation(operation, {});
      if (operation.endpoint.bypassesSiteAccess) expect([operation.name, statusCode]).not.toContain(401);
      else expect([operation.name, statusCode, json().code]).toEqual([operation.name, 401, 'http.loginRequired']);
    }
  });

  test('serves logged-in users', async () => {
    await requireLogin();
    const headers = await as.user();
    for (const url of ['/api/v1/category/list', '/api/v1/article/list', '/api/v1/user'])
      expect([url, (await get(url, headers)).statusCode]).toEqual([url, 200]);
    expect((await get('/api/v1/category/list', { authorization: 'Bearer x' })).statusCode).toBe(401);
  });

  test('allows registration and login', async () => {
    await requireLogin();
    const payload = { username: '新来的人', password: TEST_PASSWORD, email: 'new@mail.example' };
    const registerResponse = await app.inject({ method: 'POST', url: '/api/v1/user/register', payload });
    expect(registerResponse.statusCode).toBe(200);
    const { username, password } = payload;
    const loginResponse = await app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username, password },
    });
    expect(loginResponse.statusCode).toBe(200);
  });
});

describe('a closed site', () => {
  test('answers with 503 and the statement of the operator, except to users with access to the back-office', async () => {
    await close();
    const upload = await as.userWith(['upload/banner']);
    const rejectedCallers = [{}, ...rowsForTier([upload, await as.user(), { authorization: 'Bearer x' }])];
    for (const headers of rejectedCallers)
      for (const operation of operations.filter(({ endpoint }) => !endpoint.bypassesSiteAccess)) {
        const answer = await callOperation(operation, headers);
        expect([operation.name, answer.statusCode, answer.json()]).toEqual([
          operation.name,
          503,
          { code: 'site.closed', message: STATEMENT, error: STATEMENT },
        ]);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    const backOfficeUsers = [await as.root(), await as.userWith(['ReportAPI/ListReport'])];
    for (const headers of backOfficeUsers)
      for (const url of ['/api/v1/category/list', '/api/v1/user', '/api/v1/user/permission'])
        expect([url, (await get(url, headers)).statusCode]).toEqual([url, 200]);
  });

  test('rejects the login of a user without back-office access, and shows the reason only after the right password', async () => {
    const [reader, staff] = [await newMember(ctx), await newMember(ctx, [await newRole(ctx, ['MailAPI/ListMail'])])];
    await close();
    const login = (username: string, password: string) =>
      app.inject({ method: 'POST', url: '/api/v1/user/login', payload: { username, password } });
    expect((await login(reader.username, 'not-the-password')).json().message).toBe('用户名或密码错误');
    const refusedLogin = await login(reader.username, TEST_PASSWORD);
    expect([refusedLogin.statusCode, refusedLogin.json().message]).toEqual([503, STATEMENT]);
    expect((await login(staff.username, TEST_PASSWORD)).statusCode).toBe(200);
    const registrationResponse = await app.inject({
      method: 'POST',
      url: '/api/v1/user/register',
      payload: { username: '来晚的人', password: TEST_PASSWORD, email: 'late@mail.example' },
    });
    expect(registrationResponse.json().message).toBe('网站已关闭，暂时不允许注册');
  });

  test('serves users with their old sessions immediately after it is reopened', async () => {
    const headers = await as.user();
    await close();
    expect((await get('/api/v1/user', headers)).statusCode).toBe(503);
    await setSetting(ctx, 'security.is_close', 'false');
    expect((await get('/api/v1/user', headers)).statusCode).toBe(200);
  });
});

describe('files of a restricted site', () => {
  test('are rejected like endpoints, except the pictures of the login page', async () => {
    const [banner, logo] = [await upload('banner'), await upload('config')];
    await setSetting(ctx, 'system.logo', logo);
    const statuses = async (headers: Headers) =>
      [await get(banner, headers), await get(logo, headers)].map(({ statusCode }) => statusCode);
    expect(await statuses({})).toEqual([200, 200]);
    expect((await get(banner)).headers['cache-control']).toMatch(/^public/);
    const reader = await as.user();
    await requireLogin();
    expect(await statuses({})).toEqual([401, 200]);
    expect(await statuses(reader)).toEqual([200, 200]);
    expect((await get(banner, reader)).headers['cache-control']).toMatch(/^private, max-age=/);
    await close();
    expect(await statuses(reader)).toEqual([503, 200]);
    expect(await statuses(await as.root())).toEqual([200, 200]);
  });

  test('include page images and resumable uploads, which are not endpoints', async () => {
    const part = async (headers: Headers) =>
      (await app.inject({ method: 'POST', url: `/api/v1${TUS_PATH}`, headers })).statusCode;
    const page = async (headers: Headers) => (await get('/view/abc/1.webp', headers)).statusCode;
    const reader = await as.user();
    await requireLogin();
    expect([await page({}), await page(reader), await part({})]).toEqual([401, 403, 401]);
    await close();
    expect([await page(reader), await part(reader)]).toEqual([503, 503]);
    expect(await page(await as.root())).toBe(403);
  });

  test('include the API documentation, but not health checks and metrics', async () => {
    await close();
    for (const url of ['/api/docs', '/api/docs/json', '/nothing'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 503]);
    for (const url of ['/healthz', '/readyz', '/metrics'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
  });
});

describe('the site access cookie', () => {
  test('is set only while the site is restricted, and gives access to files until the session ends', async () => {
    const { id, headers } = await newMember(ctx);
    const banner = await upload('banner');
    expect(await accessCookieOf(headers)).toBe('');
    await requireLogin();
    const answer = await get('/api/v1/user/permission', headers);
    expect(findAccessCookie(answer.headers['set-cookie'])).toMatch(
      /^douku_pass=\d+\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = await accessCookieOf(headers);
    expect((await get(banner, { cookie: `a=b; ${cookie}` })).statusCode).toBe(200);
    expect(await accessCookieOf({ ...headers, cookie })).toBe('');
    await endSessions(ctx, id);
    expect((await get(banner, { cookie })).statusCode).toBe(401);
  });

  test('is not accepted by the API, and gives no access when it is forged', async () => {
    const { headers } = await newMember(ctx);
    const banner = await upload('banner');
    await requireLogin();
    const cookie = await accessCookieOf(headers);
    expect((await get('/api/v1/user', { cookie })).statusCode).toBe(401);
    const cookieValue = cookie.split('=')[1] ?? '';
    expect((await get('/api/v1/user', { authorization: `Bearer ${cookieValue}` })).statusCode).toBe(401);
    const [session, key = ''] = cookieValue.split('.');
    for (const forgedValue of [
      `${Number(session) - 1}.${key}`,
      `${session}.${'A'.repeat(43)}`,
      `${session}.`,
      `${'9'.repeat(15)}.${key}`,
      '',
      '%00',
    ])
      expect((await get(banner, { cookie: `douku_pass=${forgedValue}` })).statusCode).toBe(401);
  });

  test('is deleted when a page calls the API without a token, but not when a user opens a link', async () => {
    const { headers } = await newMember(ctx);
    await requireLogin();
    const cookie = await accessCookieOf(headers);
    const linkResponse = await get('/api/v1/settings', { cookie, accept: 'text/html' });
    expect(linkResponse.headers['set-cookie']).toBeUndefined();
    const callResponse = await get('/api/v1/settings', { cookie, accept: 'application/json' });
    expect(callResponse.headers['set-cookie']).toMatch(/^douku_pass=; Max-Age=0; Path=\/; Expires=[^;]+; HttpOnly/);
  });

  test('of a banned account gives no access', async () => {
    const { id, headers } = await newMember(ctx);
    const banner = await upload('banner');
    await requireLogin();
    const cookie = await accessCookieOf(headers);
    await createUser(ctx, { username: '旁观者甲', password: TEST_PASSWORD });
    await app.inject({
      method: 'PUT',
      url: '/api/v1/user/ban',
      headers: await as.root(),
      payload: { id: [id], ban: true, reason: '试' },
    });
    expect((await get(banner, { cookie })).statusCode).toBe(401);
  });
});
