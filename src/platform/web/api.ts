import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { AppError, type ErrorBody } from '#platform/contract/errors.ts';
import { SESSION_ENDED, SESSION_HEADER } from '#platform/contract/session-header.ts';
import { fillZeroValues } from './fill-zero-values.ts';
import { trackRequest } from './in-flight-requests.ts';

export const API_BASE = '/api/v1';
const REQUEST_TIMEOUT_MS = 30_000;

/** Calls an endpoint: over HTTP in the browser, in process on the server. */
export type Api = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;

type TokenSource = {
  token: () => string;
  /** Ends the session of the token. Returns whether the page rejects a response for visitors. */
  onTokenRejected: (token: string) => boolean;
  /** Whether the page waits for a new login and rejects responses for visitors until then. */
  isLoginPending: () => boolean;
};
let tokenSource: TokenSource = { token: () => '', onTokenRejected: () => false, isLoginPending: () => false };
export const setTokenSource = (source: TokenSource) => {
  tokenSource = source;
};

export type CallOptions = {
  signal?: AbortSignal;
  /** Repeated by a timer; the loading bar ignores the request. */
  isPoll?: boolean;
  /** Errors that the caller handles; the loading bar does not show them as failures. */
  isExpectedError?: (error: unknown) => boolean;
  /** Lets the request finish after the page is left. Browsers limit its body to 64 KB. */
  keepalive?: boolean;
  /** Made for the next page, which accepts a response for visitors. */
  isNextPage?: boolean;
};

/** Calls an endpoint. Path parameters come from `input`; the other values go to the query or the body. */
export function callEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, isPoll = false, isExpectedError, keepalive = false, isNextPage = false }: CallOptions = {},
): Promise<OutputOf<E>> {
  const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>);
  const isInQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE';
  // Proxies log URLs, so a password is sent in the body also for GET and DELETE.
  const { password, ...queryValues } = rest;
  const body = isInQuery ? (password === undefined ? null : { password }) : rest;
  const response = sendRequest(endpoint, `${API_BASE}${path}${isInQuery ? queryString(queryValues) : ''}`, {
    signal,
    isNextPage,
    ...(keepalive && { keepalive }),
    ...(body === null ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return isPoll ? response : trackRequest(response, isExpectedError);
}

async function sendRequest<E extends Endpoint>(
  endpoint: E,
  url: string,
  { signal, headers, isNextPage, ...init }: RequestInit & { isNextPage: boolean },
): Promise<OutputOf<E>> {
  const token = tokenSource.token();
  if (!token && !isNextPage && !endpoint.bypassesSiteAccess && tokenSource.isLoginPending()) throw markAsSessionEnd();
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, {
      ...init,
      method: endpoint.method,
      headers: { accept: 'application/json', ...headers, ...authorizationHeader(token) },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    // Proxies answer errors with HTML; the status tells enough. Success without a readable body is not success.
    body = response.status === 200 ? await response.json() : await response.json().catch(() => ({}));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw timeout.aborted ? timeoutError() : new AppError('http.unreachable', 0, '网络连接失败，请检查网络后重试');
  }
  if (token && response.headers.get(SESSION_HEADER) === SESSION_ENDED) {
    const isRejected = tokenSource.onTokenRejected(token);
    if (isRejected && !isNextPage) throw markAsSessionEnd();
  }
  return outputOrThrow(endpoint, token, response.status, body);
}

const timeoutError = (message = '服务器响应超时，请稍后重试') => new AppError('http.timeout', 0, message);

/** Only 200 is success. */
function outputOrThrow<E extends Endpoint>(endpoint: E, token: string, status: number, body: unknown) {
  if (status === 200) return fillZeroValues(endpoint.output, body) as OutputOf<E>;
  return throwApiError(token, status, body);
}

const sessionEndErrors = new WeakSet<object>();

/** Whether a request failed because its session has ended. The login dialog reports that, not the caller. */
export const isSessionEnd = (error: unknown): boolean => error instanceof Error && sessionEndErrors.has(error);

/** The message of the error, otherwise the fallback; empty if the session has ended. */
export const failureTextOf = (error: unknown, fallback: string): string =>
  isSessionEnd(error) ? '' : (error instanceof Error && error.message) || fallback;

function markAsSessionEnd(error = new AppError('http.loginRequired', 401, '')) {
  sessionEndErrors.add(error);
  return error;
}

function throwApiError(token: string, status: number, body: unknown): never {
  const { code, message } = (body ?? {}) as Partial<Record<keyof ErrorBody, unknown>>;
  const error = new AppError(
    typeof code === 'string' ? code : 'http.failed',
    status,
    typeof message === 'string' ? message : '',
  );
  if (status === 401 && token) {
    tokenSource.onTokenRejected(token);
    throw markAsSessionEnd(error);
  }
  throw error;
}

/** Fetches a file with the token of the session, which a link cannot send. */
export const fetchFile = (path: string, input: Record<string, unknown>) =>
  trackRequest(downloadFile(`${API_BASE}${path}${queryString(input)}`));

async function downloadFile(url: string): Promise<{ name: string; content: Blob }> {
  const token = tokenSource.token();
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const failWith = (message: string) => () => {
    throw signal.aborted
      ? timeoutError('文件没有在 30 秒内生成，请缩小范围后重试')
      : new AppError('http.unreachable', 0, message);
  };
  const response = await fetch(url, { headers: authorizationHeader(token), signal }).catch(
    failWith('网络连接失败，请检查网络后重试'),
  );
  if (response.status !== 200) throwApiError(token, response.status, await response.json().catch(() => ({})));
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '');
  const content = await response.blob().catch(failWith('文件没有下载完整，请重试'));
  return { name: decodeURIComponent(name?.[1] ?? 'download'), content };
}

/** Sends one file as multipart. XMLHttpRequest, because fetch reports no upload progress. */
export function uploadFile<E extends Endpoint>(
  endpoint: E,
  file: Blob,
  { name, onProgress }: { name?: string; onProgress?: (share: number) => void } = {},
): Promise<OutputOf<E>> {
  const token = tokenSource.token();
  const form = new FormData();
  form.append('file', file, name ?? (file instanceof File ? file.name : 'file'));
  const uploadResponse = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, `${API_BASE}${endpoint.path}`);
    request.responseType = 'json';
    for (const [key, value] of Object.entries(authorizationHeader(token))) {
      request.setRequestHeader(key, value);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 200 && request.response === null)
        reject(new AppError('http.unreachable', 0, '上传失败，请检查网络后重试'));
      else resolve({ status: request.status, body: request.response });
    };
    request.timeout = REQUEST_TIMEOUT_MS;
    request.ontimeout = () => reject(timeoutError('上传超时，请检查网络或换一个小一些的文件后重试'));
    request.onerror = () => reject(new AppError('http.unreachable', 0, '上传失败，请检查网络后重试'));
    request.send(form);
  });
  return trackRequest(uploadResponse.then(({ status, body }) => outputOrThrow(endpoint, token, status, body)));
}

const authorizationHeader = (token: string): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

function fillPath(template: string, input: Record<string, unknown>) {
  const rest = { ...input };
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

/** Repeats the key for each value of an array: `field=id&field=title`. */
function queryString(values: Record<string, unknown>) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(key, String(each));
    }
  }
  return search.size > 0 ? `?${search}` : '';
}

/** Query cache key of an endpoint. Without `input` it matches all calls of the endpoint, for invalidation. */
export const queryKeyOf = (endpoint: Endpoint, input?: unknown) =>
  input === undefined ? [endpoint.method, endpoint.path] : [endpoint.method, endpoint.path, input];

export const endpointQuery = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: queryKeyOf(endpoint, input),
    queryFn: ({ signal }) => callEndpoint(endpoint, input, { signal }),
  });

type PollContext = Pick<QueryFunctionContext, 'signal' | 'client' | 'queryKey'>;

/** `queryFn` of a query that a timer repeats. The loading bar shows its first request only. */
export const pollEndpoint = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, client, queryKey }: PollContext,
): Promise<OutputOf<E>> =>
  callEndpoint(endpoint, input, { signal, isPoll: client.getQueryData(queryKey) !== undefined });
