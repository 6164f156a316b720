import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { AppError } from '#platform/contract/errors.ts';
import {
  callEndpoint,
  endpointQuery,
  fetchFile,
  isSessionEnd,
  pollEndpoint,
  queryKeyOf,
  setTokenSource,
} from './api.ts';
import { onInFlightChange } from './in-flight-requests.ts';

const output = z.object({ total: z.int(), title: z.string() });
const spec = { access: 'public', summary: '测试', output } as const;
const list = endpoint({
  ...spec,
  method: 'GET',
  path: '/thing/:id/list',
  input: z.object({
    id: z.int(),
    field: z.optional(z.array(z.string())),
    wd: z.optional(z.string()),
  }),
});
const create = endpoint({
  ...spec,
  method: 'POST',
  path: '/thing',
  input: z.object({ title: z.string() }),
});

const requests: { url: string; init: RequestInit }[] = [];
/** Replaces only the network. */
const respondWith = (status: number, body: unknown, headers = {}) =>
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  });
const onTokenRejected = vi.fn(() => false);
const useToken = (token: string, isLoginPending = false) =>
  setTokenSource({ token: () => token, onTokenRejected, isLoginPending: () => isLoginPending });

beforeEach(() => {
  requests.length = 0;
  onTokenRejected.mockReset();
  useToken('');
});
afterEach(() => vi.unstubAllGlobals());

describe('callEndpoint', () => {
  it('requests /api/v1 with repeated array parameters and fills missing keys with zero values', async () => {
    respondWith(200, { total: 3 });
    const output = await callEndpoint(list, { id: 5, field: ['id', 'title'], wd: '豆 库' });
    expect(output).toEqual({ total: 3, title: '' });
    expect(requests[0]?.url).toBe('/api/v1/thing/5/list?field=id&field=title&wd=%E8%B1%86+%E5%BA%93');
    expect(requests[0]?.init).toMatchObject({ method: 'GET' });
  });
  it('sends JSON and the token of a logged-in user', async () => {
    useToken('secret');
    respondWith(200, {});
    await callEndpoint(create, { title: '书' });
    expect(requests[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"title":"书"}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
    });
  });
  it('sends the password of a DELETE as JSON, not in the URL', async () => {
    respondWith(200, {});
    const remove = endpoint({
      ...spec,
      method: 'DELETE',
      path: '/thing',
      input: z.object({ id: z.array(z.int()), password: z.string() }),
    });
    await callEndpoint(remove, { id: [1, 2], password: 'secret-word' });
    expect(requests[0]?.url).toBe('/api/v1/thing?id=1&id=2');
    expect(requests[0]?.init).toMatchObject({
      method: 'DELETE',
      body: '{"password":"secret-word"}',
    });
  });
  it('sends no authorization header for a visitor', async () => {
    respondWith(200, {});
    await callEndpoint(create, { title: '书' });
    expect(requests[0]?.init.headers).not.toHaveProperty('authorization');
  });
  it.each([201, 204, 302, 400, 404, 500])('rejects on status %i, as on any status but 200', async (status) => {
    respondWith(status, { code: 'a.b', message: '不行' });
    await expect(callEndpoint(create, { title: '书' })).rejects.toMatchObject({ status });
  });
  it('rejects with the code, status and message of the response', async () => {
    respondWith(409, { code: 'thing.exists', message: '已存在' });
    await expect(callEndpoint(create, { title: '书' })).rejects.toEqual(new AppError('thing.exists', 409, '已存在'));
  });
  it('rejects without a message when the response is not JSON', async () => {
    respondWith(502, '<html>bad gateway</html>');
    await expect(callEndpoint(create, { title: '书' })).rejects.toMatchObject({ status: 502, message: '' });
  });
  it('rejects with http.unreachable when the body of a success cannot be read', async () => {
    respondWith(200, '{"total": 3, "ti');
    await expect(callEndpoint(list, { id: 5 })).rejects.toMatchObject({ code: 'http.unreachable' });
  });
  it('rejects with http.timeout when the body of a success takes longer than 30 seconds', async () => {
    const timeout = new AbortController();
    const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
      const body = new ReadableStream({
        start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
      });
      return new Response(body, { status: 200 });
    });
    const output = callEndpoint(list, { id: 5 });
    timeout.abort();
    await expect(output).rejects.toMatchObject({ code: 'http.timeout' });
    timeoutSpy.mockRestore();
  });
  it('rejects with http.unreachable when the network fails', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed');
    });
    await expect(callEndpoint(create, { title: '书' })).rejects.toMatchObject({
      code: 'http.unreachable',
      message: '网络连接失败，请检查网络后重试',
    });
  });
  it('rejects with http.timeout after 30 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal?.throwIfAborted());
    await expect(callEndpoint(create, { title: '书' })).rejects.toMatchObject({ code: 'http.timeout' });
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  });
  it('rejects a file download after 30 seconds with advice for the user', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal?.throwIfAborted());
    await expect(fetchFile('/thing.csv', {})).rejects.toMatchObject({
      code: 'http.timeout',
      message: '文件没有在 30 秒内生成，请缩小范围后重试',
    });
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  });
});

describe('a response with status 401', () => {
  it('ends the session whose token was sent', async () => {
    useToken('old');
    respondWith(401, { code: 'http.loginRequired', message: '请登录' });
    await expect(callEndpoint(create, { title: '书' })).rejects.toMatchObject({ status: 401 });
    expect(onTokenRejected).toHaveBeenCalledExactlyOnceWith('old');
  });
  it('ends no session when the request carried no token, as at a failed login', async () => {
    respondWith(401, { code: 'user.wrong', message: '用户名或密码错误' });
    await expect(callEndpoint(create, { title: '书' })).rejects.toMatchObject({ status: 401 });
    expect(onTokenRejected).not.toHaveBeenCalled();
  });
});

describe('a response with the header x-session: ended', () => {
  const sessionEnded = { 'x-session': 'ended' };
  beforeEach(() => useToken('old'));

  it('ends the session and is used by a public page', async () => {
    respondWith(200, { total: 3 }, sessionEnded);
    await expect(callEndpoint(list, { id: 5 })).resolves.toEqual({ total: 3, title: '' });
    expect(onTokenRejected).toHaveBeenCalledExactlyOnceWith('old');
  });
  it.each([200, 404])(
    'with status %i rejects as a session end when the page rejects responses for visitors',
    async (status) => {
      onTokenRejected.mockReturnValue(true);
      respondWith(status, { total: 3, code: 'thing.notFound', message: '没有' }, sessionEnded);
      const error = await callEndpoint(list, { id: 5 }).catch((error: unknown) => error);
      expect(error).toEqual(new AppError('http.loginRequired', 401, ''));
      expect(isSessionEnd(error)).toBe(true);
    },
  );
  it('is used by the next page although the current page rejects it', async () => {
    onTokenRejected.mockReturnValue(true);
    respondWith(200, { total: 3 }, sessionEnded);
    const output = await callEndpoint(list, { id: 5 }, { isNextPage: true });
    expect(output).toEqual({ total: 3, title: '' });
    expect(onTokenRejected).toHaveBeenCalledExactlyOnceWith('old');
  });
  it('is not cached when the page rejects it, and a retry before the login sends nothing', async () => {
    onTokenRejected.mockImplementation(() => {
      useToken('', true);
      return true;
    });
    respondWith(200, { total: 3 }, sessionEnded);
    const client = new QueryClient();
    const fetchPromise = client.fetchQuery({ ...endpointQuery(list, { id: 5 }), retry: 1, retryDelay: 0 });
    await expect(fetchPromise).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(1);
    expect(client.getQueryData(queryKeyOf(list, { id: 5 }))).toBeUndefined();
  });
});

describe('a page that waits for a new login', () => {
  beforeEach(() => useToken('', true));

  it('sends login requests, which visitors of a closed site may make', async () => {
    respondWith(200, {});
    await callEndpoint(endpoint({ ...create, bypassesSiteAccess: true }), { title: '书' });
    expect(requests).toHaveLength(1);
  });
  it('sends requests of the next page', async () => {
    respondWith(200, {});
    await callEndpoint(create, { title: '书' }, { isNextPage: true });
    expect(requests).toHaveLength(1);
  });
});

describe('in-flight requests', () => {
  it('are counted from start to end and failures are reported', async () => {
    const reports: [number, boolean][] = [];
    const stop = onInFlightChange((count, hasFailed) => reports.push([count, hasFailed]));
    respondWith(200, {});
    await callEndpoint(create, { title: '书' });
    respondWith(500, {});
    await callEndpoint(create, { title: '书' }).catch(() => {});
    await callEndpoint(create, { title: '书' }, { isPoll: true }).catch(() => {});
    stop();
    expect(reports).toEqual([
      [1, false],
      [0, false],
      [1, false],
      [0, true],
    ]);
  });
  it('of a query that a timer repeats are counted only the first time', async () => {
    const reports: number[] = [];
    const stop = onInFlightChange((count) => reports.push(count));
    respondWith(200, { total: 1, title: '' });
    const client = new QueryClient();
    const queryKey = queryKeyOf(list, { id: 1 });
    const queryFn = (context: QueryFunctionContext) => pollEndpoint(list, { id: 1 }, context);
    await client.fetchQuery({ queryKey, queryFn, staleTime: 0 });
    expect(reports).toEqual([1, 0]);
    await client.fetchQuery({ queryKey, queryFn, staleTime: 0 });
    stop();
    expect(requests).toHaveLength(2);
    expect(reports).toEqual([1, 0]);
  });
  it('for a file are counted until the last byte', async () => {
    const reports: number[] = [];
    const stop = onInFlightChange((count) => reports.push(count));
    let finish = () => {};
    const readStarted = Promise.withResolvers<void>();
    const body = new ReadableStream(
      {
        start(controller) {
          finish = () => controller.close();
        },
        pull: () => readStarted.resolve(),
      },
      { highWaterMark: 0 },
    );
    vi.stubGlobal('fetch', async () => new Response(body));
    const file = fetchFile('/thing.csv', {});
    await readStarted.promise;
    expect(reports).toEqual([1]);
    finish();
    await file;
    stop();
    expect(reports).toEqual([1, 0]);
  });
});

it('queryKeyOf returns method and path of the endpoint, followed by the input if any', () => {
  expect(queryKeyOf(create)).toEqual(['POST', '/thing']);
  expect(queryKeyOf(list, { id: 1 })).toEqual(['GET', '/thing/:id/list', { id: 1 }]);
});
