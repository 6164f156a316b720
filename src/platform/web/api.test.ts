import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { AppError } from '#platform/contract/errors.ts';
import { call, fetchFile, isSessionEnd, keyOf, poll, query, setBearer, upload } from './api.ts';
import { onInFlight } from './in-flight.ts';

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
/** The network is the edge of the process; everything before it is ours and real. */
const answerWith = (status: number, body: unknown, headers = {}) =>
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  });
const refused = vi.fn(() => false);
const useToken = (token: string, isWaiting = false) =>
  setBearer({ token: () => token, refused, isWaiting: () => isWaiting });

beforeEach(() => {
  requests.length = 0;
  refused.mockReset();
  useToken('');
});
afterEach(() => vi.unstubAllGlobals());

describe('a call to the server', () => {
  it('goes below /api/v1 with repeated array parameters, and reads missing keys as zero', async () => {
    answerWith(200, { total: 3 });
    const answer = await call(list, { id: 5, field: ['id', 'title'], wd: '豆 库' });
    expect(answer).toEqual({ total: 3, title: '' });
    expect(requests[0]?.url).toBe('/api/v1/thing/5/list?field=id&field=title&wd=%E8%B1%86+%E5%BA%93');
    expect(requests[0]?.init).toMatchObject({ method: 'GET' });
  });
  it('sends JSON and, when logged in, the token', async () => {
    useToken('secret');
    answerWith(200, {});
    await call(create, { title: '书' });
    expect(requests[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"title":"书"}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
    });
  });
  it('sends the password of a DELETE as JSON, never in the address', async () => {
    answerWith(200, {});
    const remove = endpoint({
      ...spec,
      method: 'DELETE',
      path: '/thing',
      input: z.object({ id: z.array(z.int()), password: z.string() }),
    });
    await call(remove, { id: [1, 2], password: 'secret-word' });
    expect(requests[0]?.url).toBe('/api/v1/thing?id=1&id=2');
    expect(requests[0]?.init).toMatchObject({
      method: 'DELETE',
      body: '{"password":"secret-word"}',
    });
  });
  it('carries no authorization for a visitor', async () => {
    answerWith(200, {});
    await call(create, { title: '书' });
    expect(requests[0]?.init.headers).not.toHaveProperty('authorization');
  });
  it.each([201, 204, 302, 400, 404, 500])('fails on any status but 200, such as %i', async (status) => {
    answerWith(status, { code: 'a.b', message: '不行' });
    await expect(call(create, { title: '书' })).rejects.toMatchObject({ status });
  });
  it('fails with the code, status and message the server gave', async () => {
    answerWith(409, { code: 'thing.exists', message: '已存在' });
    await expect(call(create, { title: '书' })).rejects.toEqual(new AppError('thing.exists', 409, '已存在'));
  });
  it('fails without a message when the answer is not JSON', async () => {
    answerWith(502, '<html>bad gateway</html>');
    await expect(call(create, { title: '书' })).rejects.toMatchObject({ status: 502, message: '' });
  });
  it('says so when the server cannot be reached', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed');
    });
    await expect(call(create, { title: '书' })).rejects.toMatchObject({
      code: 'http.unreachable',
      message: '网络连接失败，请检查网络后重试',
    });
  });
  it('gives up after 30 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal?.throwIfAborted());
    await expect(call(create, { title: '书' })).rejects.toMatchObject({ code: 'http.timeout' });
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  });
  it('for a file gives up after 30 seconds and says what to do', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal?.throwIfAborted());
    await expect(fetchFile('/thing.csv', {})).rejects.toMatchObject({
      code: 'http.timeout',
      message: '文件没有在 30 秒内生成，请缩小范围后重试',
    });
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  });
  it('with a picture gives up after 30 seconds and says what to do', async () => {
    const sent: StuckRequest[] = [];
    class StuckRequest {
      upload = {};
      timeout = 0;
      ontimeout = () => {};
      open = vi.fn();
      setRequestHeader = vi.fn();
      send = () => {
        sent.push(this);
      };
    }
    vi.stubGlobal('XMLHttpRequest', StuckRequest);
    const answer = upload(create, new Blob(['picture']));
    expect(sent[0]?.timeout).toBe(30_000);
    sent[0]?.ontimeout();
    await expect(answer).rejects.toMatchObject({
      code: 'http.timeout',
      message: '上传超时，请检查网络或换一个小一些的文件后重试',
    });
  });
});

describe('a 401', () => {
  it('ends the session whose token was sent', async () => {
    useToken('old');
    answerWith(401, { code: 'http.loginRequired', message: '请登录' });
    await expect(call(create, { title: '书' })).rejects.toMatchObject({ status: 401 });
    expect(refused).toHaveBeenCalledExactlyOnceWith('old');
  });
  it('to a visitor, as a failed login, ends nothing', async () => {
    answerWith(401, { code: 'user.wrong', message: '用户名或密码错误' });
    await expect(call(create, { title: '书' })).rejects.toMatchObject({ status: 401 });
    expect(refused).not.toHaveBeenCalled();
  });
});

describe('an answer with the header x-session: ended', () => {
  const ended = { 'x-session': 'ended' };
  beforeEach(() => useToken('old'));

  it('ends the session, and a public page uses the answer for a visitor', async () => {
    answerWith(200, { total: 3 }, ended);
    await expect(call(list, { id: 5 })).resolves.toEqual({ total: 3, title: '' });
    expect(refused).toHaveBeenCalledExactlyOnceWith('old');
  });
  it.each([200, 404])(
    'and status %i fails as the end of the session where the page rejects answers for a visitor',
    async (status) => {
      refused.mockReturnValue(true);
      answerWith(status, { total: 3, code: 'thing.notFound', message: '没有' }, ended);
      const error = await call(list, { id: 5 }).catch((error: unknown) => error);
      expect(error).toEqual(new AppError('http.loginRequired', 401, ''));
      expect(isSessionEnd(error)).toBe(true);
    },
  );
  it('is used by the page that opens next, though the open page rejects it', async () => {
    refused.mockReturnValue(true);
    answerWith(200, { total: 3 }, ended);
    const answer = await call(list, { id: 5 }, { isNextPage: true });
    expect(answer).toEqual({ total: 3, title: '' });
    expect(refused).toHaveBeenCalledExactlyOnceWith('old');
  });
  it('is not cached where the page rejects it, and a retry before the login sends nothing', async () => {
    refused.mockImplementation(() => {
      useToken('', true);
      return true;
    });
    answerWith(200, { total: 3 }, ended);
    const client = new QueryClient();
    const fetching = client.fetchQuery({ ...query(list, { id: 5 }), retry: 1, retryDelay: 0 });
    await expect(fetching).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(1);
    expect(client.getQueryData(keyOf(list, { id: 5 }))).toBeUndefined();
  });
});

describe('a page that waits for a new login', () => {
  beforeEach(() => useToken('', true));

  it('sends requests of the login, which are open to visitors of a closed site', async () => {
    answerWith(200, {});
    await call(endpoint({ ...create, bypassesSiteAccess: true }), { title: '书' });
    expect(requests).toHaveLength(1);
  });
  it('sends requests of the page that opens next', async () => {
    answerWith(200, {});
    await call(create, { title: '书' }, { isNextPage: true });
    expect(requests).toHaveLength(1);
  });
});

describe('requests under way', () => {
  it('are counted from start to end, with failures told', async () => {
    const reports: [number, boolean][] = [];
    const stop = onInFlight((count, failed) => reports.push([count, failed]));
    answerWith(200, {});
    await call(create, { title: '书' });
    answerWith(500, {});
    await call(create, { title: '书' }).catch(() => {});
    await call(create, { title: '书' }, { isPoll: true }).catch(() => {});
    stop();
    expect(reports).toEqual([
      [1, false],
      [0, false],
      [1, false],
      [0, true],
    ]);
  });
  it('of a query that a timer repeats are counted the first time only', async () => {
    const reports: number[] = [];
    const stop = onInFlight((count) => reports.push(count));
    answerWith(200, { total: 1, title: '' });
    const client = new QueryClient();
    const queryKey = keyOf(list, { id: 1 });
    const queryFn = (context: QueryFunctionContext) => poll(list, { id: 1 }, context);
    await client.fetchQuery({ queryKey, queryFn, staleTime: 0 });
    expect(reports).toEqual([1, 0]);
    await client.fetchQuery({ queryKey, queryFn, staleTime: 0 });
    stop();
    expect(requests).toHaveLength(2);
    expect(reports).toEqual([1, 0]);
  });
  it('for a file are counted until its last byte', async () => {
    const reports: number[] = [];
    const stop = onInFlight((count) => reports.push(count));
    let finish = () => {};
    const body = new ReadableStream({
      start(controller) {
        finish = () => controller.close();
      },
    });
    vi.stubGlobal('fetch', async () => new Response(body));
    const file = fetchFile('/thing.csv', {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reports).toEqual([1]);
    finish();
    await file;
    stop();
    expect(reports).toEqual([1, 0]);
  });
});

it('a cache key names the endpoint, and the input where given', () => {
  expect(keyOf(create)).toEqual(['POST', '/thing']);
  expect(keyOf(list, { id: 1 })).toEqual(['GET', '/thing/:id/list', { id: 1 }]);
});
