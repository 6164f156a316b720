import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { publicUser } from '#modules/account/account.contract.ts';
import { testEvent } from '#modules/credit/credit.fixture.ts';
import { awardCredit } from '#modules/credit/credit.ts';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  setConversionState,
} from '#modules/document/document.fixture.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { newMember, newStaff } from '#modules/role/role.fixture.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, ctx, pool } = await testApp();

/** Values that occur nowhere else, one for each private column of an account. */
const privateValues = {
  realname: '甲乙丙私名',
  identity: '11010119900307991X',
  email: 'private-person@example.com',
  mobile: '13987654321',
  address: '某省某市私巷九号',
  login_at: '2019-08-07T06:05:04.000Z',
  last_login_ip: '203.0.113.77',
  register_ip: '203.0.113.78',
  ban_reason: '私下的原因',
};
const person = await newUploader(ctx);
const columns = Object.keys(privateValues);
await pool.query(`update users set ${columns.map((name, at) => `${name} = $${at + 2}`).join(', ')} where id = $1`, [
  person.id,
  ...Object.values(privateValues),
]);
const CREDIT = 987_654;
await inTransaction(ctx, (ctx) => awardCredit(ctx, person.id, CREDIT, testEvent()));
const privateTexts = [...Object.values(privateValues), String(CREDIT)];
const { id: documentId } = await addDocument(ctx, person, { category_id: await createCategoryChain(ctx) });
await setConversionState(ctx, documentId, 'ready', { view: 'pages' });
await app.inject({
  method: 'POST',
  url: '/api/v1/comment',
  headers: person.headers,
  payload: { document_id: documentId, content: '自己的评论' },
});

const withoutUserPermissions = permissionCatalogue
  .map(({ name }) => name)
  .filter((name) => !/^(UserAPI|AuditAPI|CreditAPI|ConfigAPI|AttachmentAPI|SearchRecordAPI)\//.test(name));
const callers = {
  'a visitor': {},
  'a member without a role': (await newMember(ctx)).headers,
  'staff who may do everything but manage users': (await newStaff(ctx, withoutUserPermissions)).headers,
};
type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[];

const get = (caller: Caller, url: string) =>
  app.inject({ method: 'GET', url: `/api/v1${url}`, headers: callers[caller] });
const publicKeys = Object.keys(publicUser._zod.def.shape);

test('other users get only username, avatar, signature, counts and registration date of a user', async () => {
  const response = await get('a visitor', `/user?id=${person.id}`);
  expect(Object.keys(response.json()).sort()).toEqual([
    ...['avatar', 'comment_count', 'created_at', 'doc_count', 'fans_count', 'favorite_count'],
    ...['follow_count', 'id', 'signature', 'username'],
  ]);
});

describe.each(names)('the list of users for %s', (caller) => {
  test('has values only in the public fields', async () => {
    const response = await get(caller, `/user/list?id=${person.id}`);
    const [row] = response.json().user;
    expect(row).toMatchObject({ id: person.id, username: person.username, doc_count: 1 });
    for (const [key, value] of Object.entries(row))
      if (!publicKeys.includes(key)) expect([0, '', false, null, []], `${key} is private`).toContainEqual(value);
  });

  test('has no private value when the private fields are selected by name', async () => {
    const fields = columns.map((name) => `field=${name}`).join('&');
    const { body } = await get(caller, `/user/list?id=${person.id}&${fields}`);
    for (const value of privateTexts) expect(body).not.toContain(value);
  });
});

/** URLs in which every id is once the id of the account and once the id of the document. */
function urlsOf({ path, input }: Endpoint): string[] {
  const shape = input._zod.def.shape as Record<string, z.ZodMiniType>;
  const keys = Object.keys(shape).filter((key) => /(^|_)id$|^thread_of$/.test(key));
  const query = (value: number) => keys.map((key) => `${key}=${value}`).join('&');
  const wd = 'wd' in shape ? `&wd=${encodeURIComponent('文档')}` : '';
  const author = 'with_author' in shape ? '&with_author=1' : '';
  return [person.id, documentId].map((value) => `${path}?${query(value)}${wd}${author}`);
}
const readEndpoints = apiRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, path }) => method === 'GET' && !path.includes(':'));

describe.each(names)('no answer to %s', (caller) => {
  test.each(readEndpoints.map((endpoint) => ({ name: endpoint.path, endpoint })))(
    'from GET $name contains a private value of another account',
    async ({ endpoint }) => {
      for (const url of urlsOf(endpoint)) {
        const { body, statusCode } = await get(caller, url);
        expect(statusCode, url).toBeLessThan(500);
        for (const value of privateTexts) expect(body, url).not.toContain(value);
      }
    },
  );
});
