import type { Config } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { searchErrors } from '../search.contract.ts';

const REQUEST_TIMEOUT_MS = 10_000;
const RETRY_SECONDS = 10;
const CLOSED_CONNECTION_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export type ClusterResponse<T> = { status: number; body: T };

/** Several sites can share a cluster with `?index=` in SEARCH_URL. */
export const indexName = ({ config }: Context): string =>
  new URL(config.searchUrl ?? '').searchParams.get('index') ?? 'douku';

/** Succeeds if the cluster's address answers, with any status. */
export const probeSearch = (config: Config) => (signal: AbortSignal) =>
  fetch(new URL(config.searchUrl ?? '').origin, { signal });

/**
 * The cluster, or a proxy before it, closes idle connections at any moment, also when a request was just sent on one.
 * Such a request is repeated once, on a new connection; all requests of this site may be repeated.
 */
async function fetchAgainIfClosed(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (!CLOSED_CONNECTION_CODES.has(code ?? '')) throw error;
    return fetch(url, init);
  }
}

/** Every failure to answer becomes `searchErrors.unavailable`. */
export async function requestCluster<T>(
  { config, log, callSearch }: Context,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: object | string,
): Promise<ClusterResponse<T>> {
  const base = new URL(config.searchUrl ?? '');
  const { username, password } = base;
  const url = new URL(path, `${base.origin}${base.pathname.replace(/\/?$/, '/')}`);
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  try {
    return await callSearch(async (signal) => {
      const response = await fetchAgainIfClosed(url, {
        method,
        body: text,
        headers: {
          'content-type': type,
          ...(username && { authorization: `Basic ${login.toString('base64')}` }),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      if (response.status >= 500 || [401, 403, 429].includes(response.status))
        throw new Error(`the search cluster returned status ${response.status}`);
      return { status: response.status, body: (await response.json()) as T };
    });
  } catch (error) {
    log.warn({ err: error, path }, 'the search cluster cannot be reached');
    throw searchErrors.unavailable(undefined, RETRY_SECONDS);
  }
}
