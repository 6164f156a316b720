import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { parseInput } from '#platform/server/http/route.ts';
import { type JsonSchema, sent } from '#testing/api-arbitrary.ts';
import { testApp } from '#testing/test-app.ts';
import { propertyRuns } from '#testing/tier.ts';
import { fieldLabels } from './field-labels.ts';
import { apiRoutes } from './routes.ts';

const RUNS = propertyRuns({ quick: 4, full: 25 });
const { app, as, ctx, pool } = await testApp();
// Behind a captcha or a limit nothing would be reached.
for (const purpose of ['login', 'register', 'find_password'])
  await setSetting(ctx, `security.enable_captcha_${purpose}`, 'false');
await app.ready();

type Operation = {
  parameters?: { name: string; in: string; schema: JsonSchema; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
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
const withBody = operations.filter(({ body }) => body !== undefined);

/** Names of types and words of the validator; what a client sent may be repeated as an unknown key. */
const expectPlain = (message: string) =>
  expect(message.replace(/不支持的参数：.*/s, '')).not.toMatch(
    /\b(undefined|string|array|object|number|boolean|null|NaN|int|Infinity)\b|期望|实际接收/,
  );

async function ask(request: InjectOptions) {
  const answer = await app.inject(request);
  expect(answer.statusCode, `${request.method} ${request.url}: ${answer.body}`).toBeLessThan(500);
  if (answer.statusCode >= 400) {
    const { code, message, error } = answer.json();
    expect(error).toBe(message);
    expect(code).toMatch(/^[a-z][\w-]*\.\w+$/i);
    expect(message).toMatch(/\p{Script=Han}/u);
    expectPlain(message);
  }
  return answer;
}

const queryOf = (values: Record<string, unknown>) => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value])
      search.append(key, typeof each === 'object' ? JSON.stringify(each) : String(each));
  return search.toString().slice(0, 12_000);
};

describe('every operation of the API', () => {
  test('is in the OpenAPI document', () => {
    expect(operations.length).toBeGreaterThan(30);
  });

  test.each(operations)(
    '$name answers anything sent with a clear refusal or a result',
    async ({ method, path, operation, body }) => {
      const query: JsonSchema = {
        type: 'object',
        properties: Object.fromEntries((operation.parameters ?? []).map(({ name, schema }) => [name, schema])),
        required: (operation.parameters ?? []).filter((each) => each.required).map(({ name }) => name),
      };
      let root = await as.root();
      await fc.assert(
        fc.asyncProperty(sent(body ?? query), fc.boolean(), async (values, asRoot) => {
          // What changes something may also end the session it came with.
          if (asRoot && method !== 'GET') root = await as.root();
          const headers = asRoot ? root : as.visitor;
          await pool.query('delete from rate_limits');
          if (body) await ask({ method, url: path, headers, payload: values });
          else await ask({ method, url: `${path}?${queryOf(values)}`, headers });
        }),
        RUNS,
      );
    },
  );

  test.each(withBody)('$name refuses malformed JSON, unknown keys and other types', async ({ method, path }) => {
    const headers = { ...(await as.root()), 'content-type': 'application/json' };
    const statusOf = async (payload: string, type = 'application/json') => {
      const answer = await ask({
        method,
        url: path,
        headers: { ...headers, 'content-type': type },
        payload,
      });
      return answer.statusCode;
    };
    expect(await statusOf('{"title": ')).toBe(400);
    expect(await statusOf('[1]')).toBe(400);
    expect(await statusOf('"text"')).toBe(400);
    expect(await statusOf('{"no_such_key": 1}')).toBe(400);
    expect(await statusOf('{"title": "a"}', 'text/plain')).toBe(415);
    expect(await statusOf('{"title": "a"}', 'application/xml')).toBe(415);
    expect(await statusOf(JSON.stringify({ title: 'x'.repeat(1024 * 1024) }))).toBe(413);
    expect(await statusOf(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toBe(400);
  });
});

/** Each of these is wrong for some type of field; `undefined` leaves the field out. */
const badValues = [undefined, null, 'x', '', 1.5, -1, 1e15, true, [], [null], ['x'.repeat(5_000)], {}];

test.each(apiRoutes.map(({ endpoint }) => endpoint))(
  '$method $path tells people in plain Chinese which field is wrong',
  (endpoint) => {
    const fields = Object.keys(endpoint.input._zod.def.shape);
    for (const field of fields)
      for (const value of badValues) {
        const input = value === undefined ? {} : { [field]: value };
        try {
          parseInput(endpoint, { query: input, body: input }, fieldLabels);
        } catch (error) {
          const { message } = error as Error;
          expect(message).toMatch(/^\p{Script=Han}/u);
          expectPlain(message);
        }
      }
  },
);

test('a refused input names its fields in Chinese', async () => {
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
  const answer = await ask({ url: '/api/v1/no/such/path' });
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'http.notFound']);
});
