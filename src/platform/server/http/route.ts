import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { type Endpoint, type ParsedInputOf, permissionOf, type ResultOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { coerceQueryValues } from '#platform/contract/query-values.ts';
import { SESSION_ENDED, SESSION_HEADER } from '#platform/contract/session-header.ts';
import { type Context, can, type SessionUser, type UserContext } from '../context.ts';
import { clientAddress } from './client-address.ts';
import { describeEndpoint } from './openapi.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';
import { describeIssue, type FieldLabels } from './validation-message.ts';

type ContextFor<E extends Endpoint> = E['access'] extends 'public' ? Context : UserContext;
type InputFor<E extends Endpoint> = E['upload'] extends object
  ? ParsedInputOf<E> & { file: ReceivedFile }
  : ParsedInputOf<E>;

export type Route = { endpoint: Endpoint; handle: (ctx: never, input: never) => Promise<unknown> };
/** Finds the user of a request; null for a visitor or an ended session. */
export type Authenticate = (ctx: Context, token: string) => Promise<SessionUser | null>;

/** The parts of a request that carry input. */
type Sent = { query?: unknown; body?: unknown; params?: unknown };

/** What stands before every endpoint; the app hands it in. */
export type Guard = {
  authenticate: Authenticate;
  /** Told who asks, before they are served. */
  meet: (ctx: Context, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Refuses those to whom the site as a whole is not open. */
  admit: (ctx: Context, endpoint: Endpoint) => Promise<void>;
  /** Title of a permission, for the message of a refusal. */
  titleOf: (ctx: Context, permission: string) => Promise<string>;
  /** Names of fields, for the message of a refused input. */
  labels: FieldLabels;
};

/** Binds an endpoint to the use case that serves it. */
export const route = <E extends Endpoint>(
  endpoint: E,
  handle: (ctx: ContextFor<E>, input: InputFor<E>) => Promise<ResultOf<E>>,
): Route => ({ endpoint, handle });

const MAX_DEPTH = 32;
/** A large file over a slow line. */
const UPLOAD_TIMEOUT_MS = 2 * 60 * 60 * 1000;
/** A long file, read page by page from the database. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60 * 1000;

/** PostgreSQL stores no NUL, and nothing we accept nests deeply. */
function refuseUnstorable(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw httpErrors.invalidInput('内容包含无法保存的字符');
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_DEPTH) throw httpErrors.invalidInput('内容嵌套过深');
    for (const [key, inner] of Object.entries(value)) {
      refuseUnstorable(key, depth + 1);
      refuseUnstorable(inner, depth + 1);
    }
  }
}

/** Proxies write addresses to their logs, so a DELETE sends its password as JSON and never in the query. */
function passwordOf(input: z.ZodMiniObject, { query, body }: Sent): Record<string, unknown> {
  if (!Object.hasOwn(input._zod.def.shape, 'password')) return {};
  if (Object.hasOwn((query ?? {}) as object, 'password'))
    throw httpErrors.invalidInput('密码不能写在地址中，请以 JSON 内容发送');
  const { password } = (body ?? {}) as { password?: unknown };
  return password === undefined ? {} : { password };
}

export function parseInput(endpoint: Endpoint, { query, body, params }: Sent, labels: FieldLabels = {}) {
  const { input, method, ignored = [] } = endpoint;
  const inBody = method === 'POST' || method === 'PUT';
  if (inBody && body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw httpErrors.badRequest('请求内容应为 JSON 对象');
  const sent: Record<string, unknown> = inBody
    ? { ...(body as object | undefined) }
    : {
        ...coerceQueryValues((query ?? {}) as Record<string, unknown>, input),
        ...passwordOf(input, { query, body }),
      };
  for (const key of ignored) delete sent[key];
  Object.assign(sent, coerceQueryValues((params ?? {}) as Record<string, unknown>, input));
  refuseUnstorable(sent);
  const parsed = z.safeParse(z.strictObject(input._zod.def.shape), sent);
  if (parsed.success) return parsed.data;
  // One sentence for each field: what follows from its first fault says nothing new.
  const { issues } = parsed.error;
  const isFirst = (issue: z.core.$ZodIssue) =>
    issues.find(({ path }) => path.join('.') === issue.path.join('.')) === issue;
  const sentences = issues.filter(isFirst).map((issue) => describeIssue(issue, sent, labels));
  throw httpErrors.invalidInput(sentences.slice(0, 5).join('；'));
}

async function authorize(endpoint: Endpoint, ctx: Context, titleOf: Guard['titleOf']): Promise<void> {
  if (endpoint.access === 'public') return;
  if (!ctx.user) throw httpErrors.loginRequired();
  const permission = permissionOf(endpoint.access);
  if (permission && !can(ctx, permission))
    throw httpErrors.forbidden(`您没有权限访问【${await titleOf(ctx, permission)}】`);
}

type Row = Record<string, unknown>;

/** Keeps the columns of a row; of a group of rows under the same name, those of the inner rows. */
function selectColumns(row: Row, name: string, field: unknown[]): Row {
  const inner = row[name];
  if (Array.isArray(inner)) return { ...row, [name]: inner.map((each: Row) => selectColumns(each, name, field)) };
  return Object.fromEntries(Object.entries(row).filter(([key]) => field.includes(key)));
}

/** Keeps the columns asked for by `field` in the rows of a list. */
function selectFields(output: unknown, { field }: Row): unknown {
  if (!Array.isArray(field) || field.length === 0) return output;
  return Object.fromEntries(
    Object.entries(output as Row).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((row: Row) => selectColumns(row, name, field)) : value,
    ]),
  );
}

/**
 * Runs an endpoint for a context: access, then input, then the use case, then the output gate.
 * Access comes first, so that a stranger learns nothing of the shape of an endpoint.
 */
export async function runRoute(
  { endpoint, handle }: Route,
  ctx: Context,
  { admit, titleOf }: Pick<Guard, 'admit' | 'titleOf'>,
  readInput: () => Record<string, unknown> | Promise<Record<string, unknown>>,
): Promise<unknown> {
  await admit(ctx, endpoint);
  await authorize(endpoint, ctx, titleOf);
  const input = await readInput();
  const result = z.parse(endpoint.output, await handle(ctx as never, input as never));
  return selectFields(result, input);
}

export const bearerToken = (request: FastifyRequest): string | null =>
  /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;

/** The context of a request before anybody knows who sent it. */
export const visitorOf = (base: Context, request: FastifyRequest): Context => ({
  ...base,
  log: request.log,
  client: { ip: clientAddress(request.ip), userAgent: request.headers['user-agent'] ?? '' },
});

const announceFile = (reply: FastifyReply, { type, name }: { type: string; name: string }) =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);

export function mount(app: FastifyInstance, base: Context, guard: Guard, routes: Route[]) {
  for (const entry of routes) {
    const { endpoint } = entry;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: describeEndpoint(endpoint),
      ...(endpoint.upload && { handlerTimeout: UPLOAD_TIMEOUT_MS }),
      ...(endpoint.download && { handlerTimeout: DOWNLOAD_TIMEOUT_MS }),
      handler: async (request, reply) => {
        const visitor = visitorOf(base, request);
        const token = bearerToken(request);
        const user = token ? await guard.authenticate(visitor, token) : null;
        const ctx: Context = { ...visitor, user };
        reply.header('cache-control', 'no-store');
        // Public endpoints answer an ended session as a visitor; the browser must still notice.
        if (token && !user) reply.header(SESSION_HEADER, SESSION_ENDED);
        await guard.meet(ctx, request, reply);
        const answer = await runRoute(entry, ctx, guard, async () => {
          const { query, params } = request;
          const body = endpoint.upload ? {} : request.body;
          const input = parseInput(endpoint, { query, body, params }, guard.labels);
          if (!endpoint.upload) return input;
          return { ...input, file: await receiveFile(request, endpoint.upload) };
        });
        if (endpoint.download) announceFile(reply, endpoint.download);
        return answer;
      },
    });
  }
}
