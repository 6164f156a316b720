import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { AppError } from '#platform/contract/errors.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { ApiReplies, failureWithoutMessage, replyTo } from './api-replies.ts';

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

it('ApiReplies passes the input from path and query to a reply, parsed by the contract', async () => {
  api.set(replyTo(get, ({ id, field }) => ({ title: `${id} ${field?.join('+')}` })));
  expect(await callEndpoint(get, { id: 5, field: ['a', 'b'] })).toEqual({ title: '5 a+b' });
  expect(await callEndpoint(get, { id: 6, field: ['a'] })).toEqual({ title: '6 a' });
  expect(api.inputsOf(get)).toEqual([
    { id: 5, field: ['a', 'b'] },
    { id: 6, field: ['a'] },
  ]);
  expect(api.violations).toEqual([]);
});

it.each([
  ['lacks a key', '{}'],
  ['has a value of another type', '{ "title": 7 }'],
])('ApiReplies reports a result that %s as a violation', async (_, json) => {
  api.set(replyTo(get, JSON.parse(json)));
  await expect(callEndpoint(get, { id: 5 })).rejects.toBeInstanceOf(AppError);
  expect(api.violations).toEqual([expect.stringMatching(/^GET \/thing\/5: /)]);
});

it('ApiReplies removes keys of a result that are not in the contract', async () => {
  api.set(replyTo(get, JSON.parse('{ "title": "a", "secret": "b" }')));
  expect(await callEndpoint(get, { id: 5 })).toEqual({ title: 'a' });
});

it('ApiReplies reports a call without a reply as a violation', async () => {
  await expect(callEndpoint(get, { id: 5 })).rejects.toBeInstanceOf(AppError);
  expect(api.violations).toEqual(['GET /thing/5: no reply for GET /thing/5']);
});

it('ApiReplies reports an input that violates the contract', async () => {
  api.set(replyTo({ ...create, access: 'public' }, {}));
  await expect(callEndpoint(create, { title: '' })).rejects.toBeInstanceOf(AppError);
  expect(api.violations).toHaveLength(1);
});

it('ApiReplies answers a visitor with 401 on an endpoint for users', async () => {
  api.set(replyTo(create, {}));
  await expect(callEndpoint(create, { title: 'a' })).rejects.toMatchObject({ status: 401 });
  expect(api.violations).toEqual([]);
});

it('ApiReplies answers an error with its status and message, and an error without a message with an empty body', async () => {
  api.set(replyTo(get, new AppError('thing.gone', 404, '没有了')));
  const notFoundError = { code: 'thing.gone', status: 404, message: '没有了' };
  await expect(callEndpoint(get, { id: 5 })).rejects.toMatchObject(notFoundError);
  api.set(replyTo(get, failureWithoutMessage(503)));
  const unavailableError = { code: 'http.failed', status: 503, message: '' };
  await expect(callEndpoint(get, { id: 5 })).rejects.toMatchObject(unavailableError);
  expect(api.violations).toEqual([]);
});
