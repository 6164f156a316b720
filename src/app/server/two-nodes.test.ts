import { afterAll, expect, test } from 'vitest';
import { mailPasswordReset } from '#modules/account/reset-password.ts';
import { newMember, newRole, PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { createLog } from '#platform/server/log.ts';
import { testApp } from '#testing/test-app.ts';
import { buildContext } from './build-context.ts';
import { buildServer } from './build-server.ts';

const here = await testApp();
await setSetting(here.ctx, 'security.enable_captcha_login', 'false');
await setSetting(here.ctx, 'security.enable_captcha_find_password', 'false');

/** A second process of the same site, in all but the process: its own pool, cache and listener. */
const log = createLog('error');
const other = await buildContext(here.ctx.config, here.url, log, () => here.clock.now);
const there = await buildServer(other.ctx, other.pool, { log, pages: null });
afterAll(async () => {
  await there.close();
  await other.close();
});

type Headers = { authorization: string };
const SECOND = 1_000;
const seenThere = async (headers?: Headers) =>
  (await there.inject({ url: '/api/v1/user/permission', ...(headers && { headers }) })).statusCode;
/** Milliseconds until the other node answers so. */
async function until(status: number, headers?: Headers): Promise<number> {
  const began = performance.now();
  while ((await seenThere(headers)) !== status)
    if (performance.now() - began > 5 * SECOND) throw new Error(`never answered ${status}`);
  return performance.now() - began;
}
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  here.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });

test.each<[string, (who: { id: number; username: string; headers: Headers }) => Promise<unknown>]>([
  ['a logout', ({ headers }) => send('DELETE', '/user/logout', headers)],
  ['a logout of all devices', ({ headers }) => send('DELETE', '/user/session/all', headers)],
  [
    'a new password set by an administrator',
    async ({ id }) =>
      send('PUT', '/user/password', (await here.as.root()) as Headers, {
        id,
        new_password: 'another-password',
      }),
  ],
  [
    'a reset of the forgotten password',
    async ({ id }) => {
      const email = `member${id}@mail.example`;
      await here.pool.query('update users set email = $2 where id = $1', [id, email]);
      const attempt = { signal: new AbortController().signal, attempt: 1 };
      await mailPasswordReset.run(here.ctx, { email }, attempt);
      const { rows } = await here.pool.query('select text from mails where recipient = $1', [email]);
      const token = /token=([\w-]+)/.exec(rows[0].text)?.[1];
      return here.app.inject({
        method: 'PUT',
        url: '/api/v1/user/findpassword/steptwo',
        payload: { email, token, password: 'another-password' },
      });
    },
  ],
  [
    'a ban',
    async ({ id }) =>
      send('PUT', '/user/ban', (await here.as.root()) as Headers, {
        id: [id],
        ban: true,
        reason: '试',
      }),
  ],
  [
    'the deletion of the account',
    async ({ id }) =>
      here.app.inject({
        method: 'DELETE',
        url: `/api/v1/user?id=${id}`,
        headers: await here.as.root(),
        payload: { password: 'correct-horse-battery' },
      }),
  ],
])('%s on one node ends the session on the other within a second', async (_, end) => {
  const member = await newMember(here.ctx);
  expect(await seenThere(member.headers)).toBe(200);
  const answer = (await end(member)) as { statusCode: number };
  expect(answer.statusCode).toBe(200);
  expect(await until(401, member.headers)).toBeLessThan(SECOND);
});

test('an own password change leaves the session at hand and ends the others everywhere', async () => {
  const member = await newMember(here.ctx);
  const login = await there.inject({
    method: 'POST',
    url: '/api/v1/user/login',
    payload: { username: member.username, password: PASSWORD },
  });
  const elsewhere = { authorization: `Bearer ${login.json().token}` };
  await send('PUT', '/user/password', member.headers, {
    old_password: PASSWORD,
    new_password: 'another-password',
  });
  expect(await until(401, elsewhere)).toBeLessThan(SECOND);
  expect(await seenThere(member.headers)).toBe(200);
});

test('a role that is taken away on one node opens nothing on the other', async () => {
  const role = await newRole(here.ctx, ['MailAPI/ListMail']);
  const { id, headers } = await newMember(here.ctx, [role]);
  const list = async () => (await there.inject({ url: '/api/v1/mail/list', headers })).statusCode;
  expect(await list()).toBe(200);
  await send('PUT', '/user', (await here.as.root()) as Headers, {
    id,
    group_id: [await newRole(here.ctx)],
  });
  expect(await list()).toBe(403);
});

test('a site closed on one node is closed on the other within a second, and opened likewise', async () => {
  const { headers } = await newMember(here.ctx);
  expect(await seenThere(headers)).toBe(200);
  await setSetting(here.ctx, 'security.is_close', 'true');
  expect(await until(503, headers)).toBeLessThan(SECOND);
  await setSetting(here.ctx, 'security.is_close', 'false');
  expect(await until(200, headers)).toBeLessThan(SECOND);
  await setSetting(here.ctx, 'security.login_required', 'true');
  const visitor = async () => (await there.inject('/api/v1/category/list')).statusCode;
  await expect.poll(visitor, { timeout: SECOND }).toBe(401);
  await setSetting(here.ctx, 'security.login_required', 'false');
});
