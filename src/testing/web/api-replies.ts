import * as z from 'zod/mini';
import { coerceQueryValues } from '#platform/contract/coerce-query-values.ts';
import type { Endpoint, ParsedInputOf, ResultOf } from '#platform/contract/endpoint.ts';
import { AppError, errorBody, httpErrors } from '#platform/contract/errors.ts';
import { API_BASE } from '#platform/web/api.ts';

type Result<E extends Endpoint> = ResultOf<E> | AppError;
type ReplyFunction<E extends Endpoint> = (input: ParsedInputOf<E>) => Result<E> | Promise<Result<E>>;
type Reply<E extends Endpoint> = Result<E> | ReplyFunction<E>;

const isFunction = <E extends Endpoint>(reply: Reply<E>): reply is ReplyFunction<E> => typeof reply === 'function';

export type ApiReply = { endpoint: Endpoint; reply: (input: unknown) => unknown };

/** Defines the reply to an endpoint: a result, an error, or a function of the input. */
export const replyTo = <E extends Endpoint>(endpoint: E, reply: Reply<E>): ApiReply => ({
  endpoint,
  reply: (input) => (isFunction(reply) ? reply(input as ParsedInputOf<E>) : reply),
});

/** An error without a message, as a proxy in front of the server sends it. */
export const failureWithoutMessage = (status = 502) => new AppError('', status, '');

type Call = { endpoint: Endpoint; input: unknown };

/** Replaces `fetch` in tests. Input and result must match the contract of the endpoint. */
export class ApiReplies {
  readonly #replies = new Map<string, ApiReply>();
  readonly #calls: Call[] = [];
  /** Calls without a reply, and inputs and results that violate a contract. */
  readonly violations: string[] = [];

  set(...replies: ApiReply[]) {
    for (const each of replies) this.#replies.set(`${each.endpoint.method} ${each.endpoint.path}`, each);
  }

  /** Inputs of the calls of an endpoint, parsed by its contract. */
  inputsOf<E extends Endpoint>(endpoint: E): ParsedInputOf<E>[] {
    const calls = this.#calls.filter((each) => each.endpoint === endpoint);
    return calls.map(({ input }) => input as ParsedInputOf<E>);
  }

  readonly fetch = async (address: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(address instanceof Request ? address.url : address, 'http://localhost');
    const name = `${init.method ?? 'GET'} ${url.pathname.replace(API_BASE, '')}`;
    try {
      const match = this.#match(name);
      if (!match) throw new Error(`no reply for ${name}`);
      const { endpoint, params } = match;
      const isLoggedIn = new Headers(init.headers).has('authorization');
      if (endpoint.access !== 'public' && !isLoggedIn) throw httpErrors.loginRequired();
      const input = z.parse(z.strictObject(endpoint.input._zod.def.shape), readInput(endpoint, url, params, init.body));
      this.#calls.push({ endpoint, input });
      const result = await Promise.race([match.reply(input), rejectOnAbort(init.signal)]);
      if (result instanceof AppError) throw result;
      return Response.json(z.parse(endpoint.output, result));
    } catch (error) {
      init.signal?.throwIfAborted();
      if (!(error instanceof AppError)) {
        this.violations.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        throw error;
      }
      const body = error.message === '' ? {} : errorBody(error);
      return Response.json(body, { status: error.status });
    }
  };

  #match(name: string) {
    for (const [pattern, each] of this.#replies) {
      const names = [...pattern.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
      const values = new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}$`).exec(name)?.slice(1);
      if (!values) continue;
      const params = names.map((param, at) => [param, decodeURIComponent(values[at] ?? '')]);
      return { ...each, params: Object.fromEntries(params) as Record<string, string> };
    }
    return null;
  }
}

const rejectOnAbort = (signal: RequestInit['signal']) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

function readInput(
  { input }: Endpoint,
  { searchParams }: URL,
  params: Record<string, string>,
  body: RequestInit['body'],
): Record<string, unknown> {
  const query = [...new Set(searchParams.keys())].map((key) => {
    const values = searchParams.getAll(key);
    return [key, values.length > 1 ? values : values[0]];
  });
  const bodyValues = typeof body === 'string' ? JSON.parse(body) : {};
  return { ...coerceQueryValues(Object.fromEntries(query), input), ...coerceQueryValues(params, input), ...bodyValues };
}
