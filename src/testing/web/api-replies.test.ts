import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { AppError } from '#platform/contract/errors.ts';
import { call } from '#platform/web/api.ts';
import { ApiReplies, failureWithoutMessage, on } from './api-replies.ts';

const get = endpoint({
  method: 'GET',
  path: '/thing/:id',
  access: 'public',
  summary: '测试',
  input: z.object({ id: z.int(), field: z.optional(z.array(z.string())) }),
  output: z.object({ title: z.string() }),
});
const create = endpoint({
  method: 'POST',
  path: '/thing',
  access: 'user',
  summary: '测试',
  input: z.object({ title: z.string().check(z.minLength(1)) }),
  output: z.object({}),
});

let api = new ApiReplies();
beforeEach(() => {
  api = new ApiReplies();
  vi.stubGlobal('fetch', api.fetch);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('a reply gets the input parsed by the contract, from path and query', async () => {
  api.set(on(get, ({ id, field }) => ({ title: `${id} ${field?.join('+')}` })));
  expect(await call(get, { id: 5, field: ['a', 'b'] })).toEqual({ title: '5 a+b' });
  expect(await call(get, { id: 6, field: ['a'] })).toEqual({ title: '6 a' });
  expect(api.inputsOf(get)).toEqual([
    { id: 5, field: ['a', 'b'] },
    { id: 6, field: ['a'] },
  ]);
  expect(api.faults).toEqual([]);
});

it.each([
  ['lacks a key', '{}'],
  ['has a value of another type', '{ "title": 7 }'],
])('a result that %s is a fault of the test', async (_, json) => {
  api.set(on(get, JSON.parse(json)));
  await expect(call(get, { id: 5 })).rejects.toBeInstanceOf(AppError);
  expect(api.faults).toEqual([expect.stringMatching(/^GET \/thing\/5: /)]);
});

it('a key of a result that the contract does not know does not reach the page', async () => {
  api.set(on(get, JSON.parse('{ "title": "a", "secret": "b" }')));
  expect(await call(get, { id: 5 })).toEqual({ title: 'a' });
});

it('a call that no reply was given for is a fault of the test', async () => {
  await expect(call(get, { id: 5 })).rejects.toBeInstanceOf(AppError);
  expect(api.faults).toEqual(['GET /thing/5: no reply for GET /thing/5']);
});

it('an input that breaks the contract is a fault of the test', async () => {
  api.set(on({ ...create, access: 'public' }, {}));
  await expect(call(create, { title: '' })).rejects.toBeInstanceOf(AppError);
  expect(api.faults).toHaveLength(1);
});

it('a call of a visitor to an endpoint for users is answered with 401', async () => {
  api.set(on(create, {}));
  await expect(call(create, { title: 'a' })).rejects.toMatchObject({ status: 401 });
  expect(api.faults).toEqual([]);
});

it('an error is answered with its status and message, and one without a message with an empty body', async () => {
  api.set(on(get, new AppError('thing.gone', 404, '没有了')));
  const gone = { code: 'thing.gone', status: 404, message: '没有了' };
  await expect(call(get, { id: 5 })).rejects.toMatchObject(gone);
  api.set(on(get, failureWithoutMessage(503)));
  const failed = { code: 'http.failed', status: 503, message: '' };
  await expect(call(get, { id: 5 })).rejects.toMatchObject(failed);
  expect(api.faults).toEqual([]);
});
