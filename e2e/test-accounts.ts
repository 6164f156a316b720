import { createHash } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
import { createUser } from '#modules/account/account.ts';
import { openSession } from '#modules/account/session.ts';
import type { startSite } from './support/site.ts';

type Site = Pick<Awaited<ReturnType<typeof startSite>>, 'ctx' | 'pool'>;

export const PASSWORD = 'a-long-password';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Somebody with an account, and how to be logged in as them from a phone. */
export async function newAccount({ ctx }: Site, username: string) {
  const email = `${crypto.randomUUID()}@mail.example`;
  const { id } = await createUser(ctx, { username, password: PASSWORD, email });
  const logIn = async (ip = '203.0.113.9') => {
    const from = { ...ctx, client: { ip, userAgent: IPHONE } };
    return { authorization: `Bearer ${await openSession(from, id)}` };
  };
  return { id, username, email, logIn };
}

/** Counts calls such as `PUT /user/profile` from now on. */
export function countRequests(page: Page, call: string) {
  const calls = { count: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (`${request.method()} ${pathname.replace('/api/v1', '')}` === call) calls.count += 1;
  });
  return calls;
}

/** Answers a path of the API with a failure, `{}` unless a message is given. */
export const failRequests = (page: Page, path: string, message?: string, status = 500) =>
  page.route(`**/api/v1${path}`, (route) => route.fulfill({ status, json: message === undefined ? {} : { message } }));

/** The captcha the page is given by what `act` does. */
export async function captureCaptchaId(page: Page, act: () => Promise<unknown>): Promise<string> {
  const isCaptcha = (response: Response) => response.url().includes('/api/v1/user/captcha');
  const [response] = await Promise.all([page.waitForResponse(isCaptcha), act()]);
  return (await response.json()).id;
}

/** The answer is kept as a hash only; here it is found by trying all. */
export async function solveCaptcha({ pool }: Site, id: string, width = 5): Promise<string> {
  const { rows } = await pool.query('select purpose, answer_hash from captchas where id = $1', [id]);
  for (let number = 0; number < 100_000; number += 1) {
    const answer = String(number).padStart(width, '0');
    const hash = createHash('sha256').update(`${rows[0].purpose}\n${id}\n${answer}`).digest();
    if (hash.equals(rows[0].answer_hash)) return answer;
  }
  throw new Error('no answer');
}
