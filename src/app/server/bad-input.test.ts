import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { parseInput } from '#platform/server/http/route.ts';
import { type RequestJsonSchema, requestValues } from '#testing/request-values-arbitrary.ts';
import { testApp } from '#testing/test-app.ts';
import { propertyRuns, rowsForTier } from '#testing/test-tier.ts';
import { fieldLabels } from './field-labels.ts';
import { apiRoutes } from './routes.ts';

const RUNS = propertyRuns({ quick: 1, full: 25 });
const { app, as, ctx, pool } = await testApp();
// Captchas would reject all requests before validation.
for (const purpose of ['login', 'register', 'find_password'])
  await setSetting(ctx, `security.enable_captcha_${purpose}`, 'false');
await app.ready();

type Operation = {
  parameters?: { name: string; in: string; schema: RequestJsonSchema; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: RequestJsonSchema }> };
};
const document = app.swagger() as unknown as { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as 'GET' | 'POST' | 'PUT' | 'DELETE',
    path,
    operation,
    body: operation.requestBody?.content['application/json']?.schema,
  })),
);
const operationsWithBody = operations.filter(({ body }) => body !== undefined);

/** Error messages must not contain type names and phrases of the validator, except in the name of an unknown key. */
const expectNoTypeNames = (message: string) =>
  expect(message.replace(/不支持的参数：.*/s, '')).not.toMatch(
    /\b(undefined|string|array|object|number|boolean|null|NaN|int|Infinity)\b|期望|实际接收/,
  );

async function sendRequest(request: InjectOptions) {
  const response = await app.inject(request);
  expect(response.statusCode, `${request.method} ${request.url}: ${response.body}`).toBeLessThan(500);
  if (response.statusCode >= 400) {
    const { code, message, error } = response.json();
    expect(error).toBe(message);
    expect(code).toMatch(/^[a-z][\w-]*\.\w+$/i);
    expect(message).toMatch(/\p{Script=Han}/u);
    expectNoTypeNames(message);
  }
  return response;
}

const queryOf = (values: Record<string, unknown>) => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value])
      search.append(key, typeof each === 'object' ? JSON.stringify(each) : String(each));
  return search.toString().slice(0, 12_000);
};

describe('every operation of the API', () => {
  test('the OpenAPI document describes all operations', () => {
    expect(operations.length).toBeGreaterThan(30);
  });

  test.each(operations)(
    '$name answers any input with a result or a readable error below 500',
    async ({ method, path, operation, body }) => {
      const query: RequestJsonSchema = {
        type: 'object',
        properties: Object.fromEntries((operation.parameters ?? []).map(({ name, schema }) => [name, schema])),
        required: (operation.parameters ?? []).filter((each) => each.required).map(({ name }) => name),
      };
      let root = await as.root();
      await fc.assert(
        fc.asyncProperty(requestValues(body ?? query), fc.boolean(), async (values, asRoot) => {
          // The request may end its own session.
          if (asRoot && method !== 'GET') root = await as.root();
          const headers = asRoot ? root : as.visitor;
          await pool.query('delete from rate_limits');
          if (body) await sendRequest({ method, url: path, headers, payload: values });
          else await sendRequest({ method, url: `${path}?${queryOf(values)}`, headers });
        }),
        RUNS,
      );
    },
  );

  test.each(rowsForTier(operationsWithBody))(
    '$name rejects malformed JSON, unknown keys and other content types',
    async ({ method, path }) => {
      const headers = { ...(await as.root()), 'content-type': 'application/json' };
      const statusOf = async (payload: string, type = 'application/json') => {
        const response = await sendRequest({
          method,
          url: path,
          headers: { ...headers, 'content-type': type },
          payload,
        });
        return response.statusCode;
      };
      expect(await statusOf('{"title": ')).toBe(400);
      expect(await statusOf('[1]')).toBe(400);
      expect(await statusOf('"text"')).toBe(400);
      expect(await statusOf('{"no_such_key": 1}')).toBe(400);
      expect(await statusOf('{"title": "a"}', 'text/plain')).toBe(415);
      expect(await statusOf('{"title": "a"}', 'application/xml')).toBe(415);
      expect(await statusOf(JSON.stringify({ title: 'x'.repeat(1024 * 1024) }))).toBe(413);
      expect(await statusOf(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toBe(400);
    },
  );
});

/** Each value is invalid for some type of field; `undefined` omits the field. */
const badValues = [undefined, null, 'x', '', 1.5, -1, 1e15, true, [], [null], ['x'.repeat(5_000)], {}];

test.each(apiRoutes.map(({ endpoint }) => endpoint))('$method $path names an invalid field in Chinese', (endpoint) => {
  const fields = Object.keys(endpoint.input._zod.def.shape);
  for (const field of fields)
    for (const value of badValues) {
      const input = value === undefined ? {} : { [field]: value };
      try {
        parseInput(endpoint, { query: input, body: input }, fieldLabels);
      } catch (error) {
        const { message } = error as Error;
        expect(message).toMatch(/^\p{Script=Han}/u);
        expectNoTypeNames(message);
      }
    }
});

test('the error for an invalid input names the fields in Chinese', async () => {
  const headers = await as.root();
  const messageOf = async (method: 'PUT' | 'POST', url: string, payload: object) =>
    (await app.inject({ method, url: `/api/v1${url}`, headers, payload })).json().message;
  expect(await messageOf('PUT', '/config', {})).toBe('请填写配置');
  expect(await messageOf('POST', '/document', { category_id: 'a', document: {} })).toBe('分类应为列表；文档应为列表');
  expect(await messageOf('POST', '/friendlink', { title: '友', link: 'https://a.b', sort: -1 })).toBe('排序不能小于 0');
  expect(await messageOf('POST', '/friendlink', { title: '友', link: 'https://a.b', enable: 'yes' })).toBe(
    '是否启用只能是“是”或“否”',
  );
});

test('an unknown API path answers 404 in JSON', async () => {
  const response = await sendRequest({ url: '/api/v1/no/such/path' });
  expect([response.statusCode, response.json().code]).toEqual([404, 'http.notFound']);
});
