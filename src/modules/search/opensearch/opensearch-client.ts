import type { Config } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { searchErrors } from '../search.contract.ts';

const TIMEOUT_MS = 10_000;
const RETRY_SECONDS = 10;

export type Answer<T> = { status: number; body: T };

/** The index of this site; several can share a cluster by `?index=`. */
export const indexOf = ({ config }: Context): string =>
  new URL(config.searchUrl ?? '').searchParams.get('index') ?? 'douku';

/** Asks whether anything answers at the address of the cluster, whatever it says. */
export const probeSearch = (config: Config) => (signal: AbortSignal) =>
  fetch(new URL(config.searchUrl ?? '').origin, { signal });

/** Asks the cluster. Whatever keeps it from answering is one clear error. */
export async function ask<T>(
  { config, log, callSearch }: Context,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: object | string,
): Promise<Answer<T>> {
  const base = new URL(config.searchUrl ?? '');
  const { username, password } = base;
  const url = new URL(path, `${base.origin}${base.pathname.replace(/\/?$/, '/')}`);
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  try {
    return await callSearch(async (signal) => {
      const answer = await fetch(url, {
        method,
        body: text,
        headers: {
          'content-type': type,
          ...(username && { authorization: `Basic ${login.toString('base64')}` }),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (answer.status >= 500 || [401, 403, 429].includes(answer.status))
        throw new Error(`the search cluster answers ${answer.status}`);
      return { status: answer.status, body: (await answer.json()) as T };
    });
  } catch (error) {
    log.warn({ err: error, path }, 'the search cluster cannot be reached');
    throw searchErrors.unavailable(undefined, RETRY_SECONDS);
  }
}
