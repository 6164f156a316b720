import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { AppError, type ErrorBody } from '#platform/contract/errors.ts';
import { SESSION_ENDED, SESSION_HEADER } from '#platform/contract/session-header.ts';
import { fillZero } from './fill-zero.ts';
import { track } from './in-flight.ts';

export const API_BASE = '/api/v1';
const REQUEST_TIMEOUT = 30_000;

/** How a page reaches an endpoint: over HTTP in the browser, in process on the server. */
export type Api = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;

type Bearer = {
  token: () => string;
  /** Ends the session of the token. Returns whether the page rejects the answer for a visitor. */
  refused: (token: string) => boolean;
  /** Whether the page waits for a new login and rejects answers for a visitor meanwhile. */
  isWaiting: () => boolean;
};
let bearer: Bearer = { token: () => '', refused: () => false, isWaiting: () => false };
/** Tells where the token of the session is, and what to do once the server refuses it. */
export const setBearer = (source: Bearer) => {
  bearer = source;
};

type Init = {
  signal?: AbortSignal;
  /** A repetition by a timer, the only kind of request that the loading bar does not follow. */
  isPoll?: boolean;
  /** Errors that are part of the way, which the loading bar does not show as failures. */
  isExpectedError?: (error: unknown) => boolean;
  /** Goes on when the page is left; for a few bytes only. */
  keepalive?: boolean;
  /** For the page that opens next, which accepts an answer for a visitor. */
  isNextPage?: boolean;
};

/** Calls an endpoint. Path parameters are taken from `input`; the rest goes to the query or the body. */
export function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, isPoll = false, isExpectedError, keepalive = false, isNextPage = false }: Init = {},
): Promise<OutputOf<E>> {
  const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>);
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE';
  // Addresses are written down on the way; a password is not to be among them.
  const { password, ...open } = rest;
  const body = inQuery ? (password === undefined ? null : { password }) : rest;
  const answer = send(endpoint, `${API_BASE}${path}${inQuery ? toSearch(open) : ''}`, {
    signal,
    isNextPage,
    ...(keepalive && { keepalive }),
    ...(body === null ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return isPoll ? answer : track(answer, isExpectedError);
}

async function send<E extends Endpoint>(
  endpoint: E,
  url: string,
  { signal, headers, isNextPage, ...init }: RequestInit & { isNextPage: boolean },
): Promise<OutputOf<E>> {
  const token = bearer.token();
  if (!token && !isNextPage && !endpoint.bypassesSiteAccess && bearer.isWaiting()) throw sessionEnd();
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, {
      ...init,
      method: endpoint.method,
      headers: { accept: 'application/json', ...headers, ...authorization(token) },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    body = await response.json().catch(() => ({}));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw timeout.aborted ? timeoutError() : new AppError('http.unreachable', 0, '网络连接失败，请检查网络后重试');
  }
  if (token && response.headers.get(SESSION_HEADER) === SESSION_ENDED) {
    const isRejected = bearer.refused(token);
    if (isRejected && !isNextPage) throw sessionEnd();
  }
  return settle(endpoint, token, response.status, body);
}

const timeoutError = (message = '服务器响应超时，请稍后重试') => new AppError('http.timeout', 0, message);

/** Only 200 is success. A 401 to a request that carried the token ends the session. */
function settle<E extends Endpoint>(endpoint: E, token: string, status: number, body: unknown) {
  if (status === 200) return fillZero(endpoint.output, body) as OutputOf<E>;
  return refuse(token, status, body);
}

const sessionEndErrors = new WeakSet<object>();

/** Whether a request failed because its session has ended, which the session itself reports. */
export const isSessionEnd = (error: unknown): boolean => error instanceof Error && sessionEndErrors.has(error);

function sessionEnd(error = new AppError('http.loginRequired', 401, '')) {
  sessionEndErrors.add(error);
  return error;
}

function refuse(token: string, status: number, body: unknown): never {
  const { code, message } = (body ?? {}) as Partial<Record<keyof ErrorBody, unknown>>;
  const error = new AppError(
    typeof code === 'string' ? code : 'http.failed',
    status,
    typeof message === 'string' ? message : '',
  );
  if (status === 401 && token) {
    bearer.refused(token);
    throw sessionEnd(error);
  }
  throw error;
}

/** Fetches a file. The token goes along, which a link could not send. */
export const fetchFile = (path: string, input: Record<string, unknown>) =>
  track(receiveFile(`${API_BASE}${path}${toSearch(input)}`));

async function receiveFile(url: string): Promise<{ name: string; content: Blob }> {
  const token = bearer.token();
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT);
  const failWith = (message: string) => () => {
    throw signal.aborted
      ? timeoutError('文件没有在 30 秒内生成，请缩小范围后重试')
      : new AppError('http.unreachable', 0, message);
  };
  const response = await fetch(url, { headers: authorization(token), signal }).catch(
    failWith('网络连接失败，请检查网络后重试'),
  );
  if (response.status !== 200) refuse(token, response.status, await response.json().catch(() => ({})));
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '');
  const content = await response.blob().catch(failWith('文件没有下载完整，请重试'));
  return { name: decodeURIComponent(name?.[1] ?? 'download'), content };
}

/** Sends one file as multipart; XMLHttpRequest because fetch reports no upload progress. */
export function upload<E extends Endpoint>(
  endpoint: E,
  file: Blob,
  { name, onProgress }: { name?: string; onProgress?: (share: number) => void } = {},
): Promise<OutputOf<E>> {
  const token = bearer.token();
  const form = new FormData();
  form.append('file', file, name ?? (file instanceof File ? file.name : 'file'));
  const answer = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, `${API_BASE}${endpoint.path}`);
    request.responseType = 'json';
    for (const [key, value] of Object.entries(authorization(token))) {
      request.setRequestHeader(key, value);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => resolve({ status: request.status, body: request.response });
    request.timeout = REQUEST_TIMEOUT;
    request.ontimeout = () => reject(timeoutError('上传超时，请检查网络或换一个小一些的文件后重试'));
    request.onerror = () => reject(new AppError('http.unreachable', 0, '上传失败，请检查网络后重试'));
    request.send(form);
  });
  return track(answer.then(({ status, body }) => settle(endpoint, token, status, body)));
}

const authorization = (token: string): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});

function fillPath(template: string, input: Record<string, unknown>) {
  const rest = { ...input };
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

/** Arrays are repeated: `field=id&field=title`. */
function toSearch(values: Record<string, unknown>) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(key, String(each));
    }
  }
  return search.size > 0 ? `?${search}` : '';
}

/** The cache key of an endpoint; pass it alone to invalidate every call of it. */
export const keyOf = (endpoint: Endpoint, input?: unknown) =>
  input === undefined ? [endpoint.method, endpoint.path] : [endpoint.method, endpoint.path, input];

export const query = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });

type Polling = Pick<QueryFunctionContext, 'signal' | 'client' | 'queryKey'>;

/** For the `queryFn` of a query that a timer repeats: the loading bar follows its first request only. */
export const poll = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, client, queryKey }: Polling,
): Promise<OutputOf<E>> => call(endpoint, input, { signal, isPoll: client.getQueryData(queryKey) !== undefined });
