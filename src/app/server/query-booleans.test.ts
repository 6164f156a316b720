import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { coerceQueryValues } from '#platform/contract/query-values.ts';
import { parseInput } from '#platform/server/http/route.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, as } = await testApp();

type Def = { type: string; innerType?: z.ZodMiniType; element?: z.ZodMiniType };
/** Whether a parameter is a boolean or a list of booleans, behind optional and default wrappers. */
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
  test('is found in the parameters that clients of moredoc send', () => {
    const names = parameters.map(({ name }) => name);
    for (const name of ['/banner/list?enable=', '/document/list?is_recommend=', '/document?with_author='])
      expect(names).toContain(name);
  });

  test.each(parameters)('is read from 1, 0, true and false in $name', ({ endpoint, key }) => {
    const read = (value: unknown) => [coerceQueryValues({ [key]: value }, endpoint.input)[key]].flat();
    for (const value of ['1', 'true']) expect(read(value)).toEqual([true]);
    for (const value of ['0', 'false']) expect(read(value)).toEqual([false]);
  });

  test.each(parameters)('is refused in $name when it is anything else', ({ endpoint, key }) => {
    expect(() => parseInput(endpoint, { query: { [key]: 'maybe' } })).toThrow();
  });

  test.each(parameters.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.download))(
    'gives the same answer for 1 and true in $name',
    async ({ endpoint, key }) => {
      const headers = await as.root();
      const ask = async (value: string) => {
        const query = `id=1&document_id=1&user_id=1&${key}=${value}`;
        const answer = await app.inject({ url: `/api/v1${endpoint.path}?${query}`, headers });
        expect(answer.json().code ?? '').not.toBe('http.invalidInput');
        return answer.statusCode;
      };
      expect(await ask('1')).toBe(await ask('true'));
      expect(await ask('0')).toBe(await ask('false'));
    },
  );
});
