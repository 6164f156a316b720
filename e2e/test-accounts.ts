import { createHash } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
import { createUser } from '#modules/account/account.ts';
import { openSession } from '#modules/account/session.ts';
import type { startTestSite } from './support/site.ts';

type Site = Pick<Awaited<ReturnType<typeof startTestSite>>, 'ctx' | 'pool'>;

export const TEST_PASSWORD = 'a-long-password';
const IPHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Creates a user; `logIn` opens a session from a phone and returns its headers. */
export async function newAccount({ ctx }: Site, username: string) {
  const email = `${crypto.randomUUID()}@mail.example`;
  const { id } = await createUser(ctx, { username, password: TEST_PASSWORD, email });
  const logIn = async (ip = '203.0.113.9') => {
    const phoneContext = { ...ctx, client: { ip, userAgent: IPHONE_USER_AGENT } };
    return { authorization: `Bearer ${await openSession(phoneContext, id)}` };
  };
  return { id, username, email, logIn };
}

/** Counts the later requests to an endpoint such as `PUT /user/profile`. */
export function countRequests(page: Page, endpoint: string) {
  const requests = { count: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (`${request.method()} ${pathname.replace('/api/v1', '')}` === endpoint) requests.count += 1;
  });
  return requests;
}

/** Answers the API path with an error; without a message the body is `{}`. */
export const failRequests = (page: Page, path: string, message?: string, status = 500) =>
  page.route(`**/api/v1${path}`, (route) => route.fulfill({ status, json: message === undefined ? {} : { message } }));

/** Returns the id of the captcha that the page loads during `act`. */
export async function captureCaptchaId(page: Page, act: () => Promise<unknown>): Promise<string> {
  const isCaptcha = (response: Response) => response.url().includes('/api/v1/user/captcha');
  const [response] = await Promise.all([page.waitForResponse(isCaptcha), act()]);
  return (await response.json()).id;
}

/** The database stores only a hash of the answer, so this tries every answer. */
export async function solveCaptcha({ pool }: Site, id: string, width = 5): Promise<string> {
  const { rows } = await pool.query('select purpose, answer_hash from captchas where id = $1', [id]);
  for (let number = 0; number < 100_000; number += 1) {
    const answer = String(number).padStart(width, '0');
    const hash = createHash('sha256').update(`${rows[0].purpose}\n${id}\n${answer}`).digest();
    if (hash.equals(rows[0].answer_hash)) return answer;
  }
  throw new Error('no answer');
}
