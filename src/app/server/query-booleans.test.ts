import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { coerceQueryValues } from '#platform/contract/coerce-query-values.ts';
import { parseInput } from '#platform/server/http/route.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, as } = await testApp();

type Def = { type: string; innerType?: z.ZodMiniType; element?: z.ZodMiniType };
function isBoolean(schema: z.ZodMiniType): boolean {
  const { type, innerType, element } = schema._zod.def as Def;
  const inner = innerType ?? element;
  return type === 'boolean' || (inner !== undefined && isBoolean(inner));
}

const parameters = apiRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ method }) => method === 'GET' || method === 'DELETE')
  .flatMap((endpoint) =>
    Object.entries(endpoint.input._zod.def.shape as Record<string, z.ZodMiniType>)
      .filter(([, schema]) => isBoolean(schema))
      .map(([key, schema]) => ({ name: `${endpoint.path}?${key}=`, endpoint, key, schema })),
  );

describe('a boolean in a query', () => {
  test('the tested boolean parameters include those that clients of moredoc send', () => {
    const names = parameters.map(({ name }) => name);
    for (const name of ['/banner/list?enable=', '/document/list?is_recommend=', '/document?with_author='])
      expect(names).toContain(name);
  });

  test.each(parameters)('is parsed from 1, 0, true and false in $name', ({ endpoint, key }) => {
    const read = (value: unknown) => [coerceQueryValues({ [key]: value }, endpoint.input)[key]].flat();
    for (const value of ['1', 'true']) expect(read(value)).toEqual([true]);
    for (const value of ['0', 'false']) expect(read(value)).toEqual([false]);
  });

  test.each(parameters)('is rejected in $name for any other value', ({ endpoint, key }) => {
    expect(() => parseInput(endpoint, { query: { [key]: 'maybe' } })).toThrow();
  });

  test.each(parameters.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.download))(
    'has the same result for 1 and true in $name',
    async ({ endpoint, key }) => {
      const headers = await as.root();
      const statusOf = async (value: string) => {
        const query = `id=1&document_id=1&user_id=1&${key}=${value}`;
        const response = await app.inject({ url: `/api/v1${endpoint.path}?${query}`, headers });
        expect(response.json().code ?? '').not.toBe('http.invalidInput');
        return response.statusCode;
      };
      expect(await statusOf('1')).toBe(await statusOf('true'));
      expect(await statusOf('0')).toBe(await statusOf('false'));
    },
  );
});
