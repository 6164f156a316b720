import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { coerceQueryValues } from '#platform/contract/coerce-query-values.ts';
import {
  type Endpoint,
  type OutputOf,
  type ParsedInputOf,
  permissionOf,
  type ResultOf,
} from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { SESSION_ENDED, SESSION_HEADER } from '#platform/contract/session-header.ts';
import { type Context, hasPermission, type SessionUser, type UserContext } from '../context.ts';
import { normalizeClientAddress } from './normalize-client-address.ts';
import { endpointToOpenApi } from './openapi.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';
import { type FieldLabels, validationMessage } from './validation-message.ts';

type ContextFor<E extends Endpoint> = E['access'] extends 'public' ? Context : UserContext;
type InputFor<E extends Endpoint> = E['upload'] extends object
  ? ParsedInputOf<E> & { file: ReceivedFile }
  : ParsedInputOf<E>;

type RecordRequest<C, I, R> = (ctx: C, input: I, result: R) => Promise<void>;

export type Route = {
  endpoint: Endpoint;
  handle: (ctx: never, input: never) => Promise<unknown>;
  /** Counts or logs each request, also one that is answered with a cached result. */
  record?: RecordRequest<never, never, never>;
};
/** Returns the user of a session token, or null if the session has ended. */
export type Authenticate = (ctx: Context, token: string) => Promise<SessionUser | null>;

type RequestParts = { query?: unknown; body?: unknown; params?: unknown };

/** Checks before every endpoint that belong to modules; the app supplies them. */
export type Guard = {
  authenticate: Authenticate;
  /** Called after authentication and before the endpoint, to set cookies. */
  onAuthenticated: (ctx: Context, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Throws if the site is closed, or requires a login that the caller does not have. */
  checkSiteAccess: (ctx: Context, endpoint: Endpoint) => Promise<void>;
  permissionTitle: (ctx: Context, permission: string) => Promise<string>;
  /** Names of input fields for error messages. */
  fieldLabels: FieldLabels;
};

/** Binds an endpoint to the use case that serves it. */
export const route = <E extends Endpoint>(
  endpoint: E,
  handle: (ctx: ContextFor<E>, input: InputFor<E>) => Promise<ResultOf<E>>,
  record?: RecordRequest<ContextFor<E>, InputFor<E>, OutputOf<E>>,
): Route => ({ endpoint, handle, ...(record && { record }) });

/** A result before `field` selects its columns. */
export type RouteResult = { input: Record<string, unknown>; output: unknown };

/** Responses for visitors; the app supplies the cache. */
export type ResponseCache = {
  /** Null for a request whose response must not be shared. */
  cacheKeyOf(request: FastifyRequest): string | null;
  send(
    key: string,
    call: { request: FastifyRequest; reply: FastifyReply; route: Route; ctx: Context },
    load: (visitor: Context) => Promise<RouteResult>,
  ): Promise<FastifyReply>;
  /** Called before the response of a request that changed something. */
  invalidateAfter(request: FastifyRequest): void;
};

const MAX_NESTING = 32;
/** Allows a large file over a slow connection. */
const UPLOAD_TIMEOUT_MS = 2 * 60 * 60 * 1000;
/** Allows a long CSV file that is read page by page from the database. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60 * 1000;

/** PostgreSQL cannot store NUL characters, and no valid input is nested deeply. */
function rejectUnstorableInput(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw httpErrors.invalidInput('内容包含无法保存的字符');
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_NESTING) throw httpErrors.invalidInput('内容嵌套过深');
    for (const [key, nestedValue] of Object.entries(value)) {
      rejectUnstorableInput(key, depth + 1);
      rejectUnstorableInput(nestedValue, depth + 1);
    }
  }
}

/** Proxies log URLs, so a DELETE sends its password as JSON and never in the query. */
function readPasswordFromBody(input: z.ZodMiniObject, { query, body }: RequestParts): Record<string, unknown> {
  if (!Object.hasOwn(input._zod.def.shape, 'password')) return {};
  if (Object.hasOwn((query ?? {}) as object, 'password'))
    throw httpErrors.invalidInput('密码不能写在地址中，请以 JSON 内容发送');
  const { password } = (body ?? {}) as { password?: unknown };
  return password === undefined ? {} : { password };
}

/** Creating a schema takes longer than parsing with it. */
const strictSchemas = new WeakMap<z.ZodMiniObject, z.ZodMiniObject>();
function strictSchemaOf(input: z.ZodMiniObject): z.ZodMiniObject {
  const schema = strictSchemas.get(input) ?? z.strictObject(input._zod.def.shape);
  strictSchemas.set(input, schema);
  return schema;
}

export function parseInput(endpoint: Endpoint, { query, body, params }: RequestParts, labels: FieldLabels = {}) {
  const { input, method, ignored = [] } = endpoint;
  const hasBody = method === 'POST' || method === 'PUT';
  if (hasBody && body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw httpErrors.badRequest('请求内容应为 JSON 对象');
  const values: Record<string, unknown> = hasBody
    ? { ...(body as object | undefined) }
    : {
        ...coerceQueryValues((query ?? {}) as Record<string, unknown>, input),
        ...readPasswordFromBody(input, { query, body }),
      };
  for (const key of ignored) delete values[key];
  Object.assign(values, coerceQueryValues((params ?? {}) as Record<string, unknown>, input));
  rejectUnstorableInput(values);
  const result = z.safeParse(strictSchemaOf(input), values);
  if (result.success) return result.data;
  // Only the first issue of each field: the others are usually its consequences.
  const { issues } = result.error;
  const isFirst = (issue: z.core.$ZodIssue) =>
    issues.find(({ path }) => path.join('.') === issue.path.join('.')) === issue;
  const sentences = issues.filter(isFirst).map((issue) => validationMessage(issue, values, labels));
  throw httpErrors.invalidInput(sentences.slice(0, 5).join('；'));
}

async function readRequestInput(endpoint: Endpoint, request: FastifyRequest, labels: FieldLabels) {
  const { query, params } = request;
  const body = endpoint.upload ? {} : request.body;
  const input = parseInput(endpoint, { query, body, params }, labels);
  if (!endpoint.upload) return input;
  return { ...input, file: await receiveFile(request, endpoint.upload) };
}

async function assertEndpointAccess(
  endpoint: Endpoint,
  ctx: Context,
  permissionTitle: Guard['permissionTitle'],
): Promise<void> {
  if (endpoint.access === 'public') return;
  if (!ctx.user) throw httpErrors.loginRequired();
  const permission = permissionOf(endpoint.access);
  if (permission && !hasPermission(ctx, permission))
    throw httpErrors.forbidden(`您没有权限访问【${await permissionTitle(ctx, permission)}】`);
}

type Row = Record<string, unknown>;

/** Selects columns of a row. In a group, whose rows hold a list of the same name, selects columns of the inner rows. */
function selectColumns(row: Row, name: string, field: unknown[]): Row {
  const nestedRows = row[name];
  if (Array.isArray(nestedRows))
    return { ...row, [name]: nestedRows.map((each: Row) => selectColumns(each, name, field)) };
  return Object.fromEntries(Object.entries(row).filter(([key]) => field.includes(key)));
}

/** Applies the input parameter `field` to the rows of a list. */
export function selectFields({ input: { field }, output }: RouteResult): unknown {
  if (!Array.isArray(field) || field.length === 0) return output;
  return Object.fromEntries(
    Object.entries(output as Row).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((row: Row) => selectColumns(row, name, field)) : value,
    ]),
  );
}

/**
 * Runs an endpoint: access check, input validation, use case, output validation. Access is checked first, so that
 * validation errors reveal nothing to callers without access.
 */
export async function runRoute(
  { endpoint, handle }: Route,
  ctx: Context,
  { checkSiteAccess, permissionTitle }: Pick<Guard, 'checkSiteAccess' | 'permissionTitle'>,
  readInput: () => Record<string, unknown> | Promise<Record<string, unknown>>,
): Promise<RouteResult> {
  await checkSiteAccess(ctx, endpoint);
  await assertEndpointAccess(endpoint, ctx, permissionTitle);
  const input = await readInput();
  return { input, output: z.parse(endpoint.output, await handle(ctx as never, input as never)) };
}

export const recordRequest = async ({ record }: Route, ctx: Context, { input, output }: RouteResult) =>
  record?.(ctx as never, input as never, output as never);

export const bearerToken = (request: FastifyRequest): string | null =>
  /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;

/** The context of a request before authentication. */
export const visitorContext = (base: Context, request: FastifyRequest): Context => ({
  ...base,
  log: request.log,
  client: { ip: normalizeClientAddress(request.ip), userAgent: request.headers['user-agent'] ?? '' },
});

const setDownloadHeaders = (reply: FastifyReply, { type, name }: { type: string; name: string }) =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);

export function mountRoutes(
  app: FastifyInstance,
  base: Context,
  { guard, responseCache }: { guard: Guard; responseCache: ResponseCache },
  routes: Route[],
) {
  for (const apiRoute of routes) {
    const { endpoint } = apiRoute;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      // When the OpenAPI document is requested, and not at the start: it takes as long as all the rest of the routes.
      config: { swaggerTransform: ({ url }) => ({ schema: endpointToOpenApi(endpoint), url }) },
      ...(endpoint.upload && { handlerTimeout: UPLOAD_TIMEOUT_MS }),
      ...(endpoint.download && { handlerTimeout: DOWNLOAD_TIMEOUT_MS }),
      handler: async (request, reply) => {
        const visitor = visitorContext(base, request);
        const readInput = () => readRequestInput(endpoint, request, guard.fieldLabels);
        reply.header('cache-control', 'no-store');
        const cacheKey = endpoint.isSameForVisitors ? responseCache.cacheKeyOf(request) : null;
        if (cacheKey !== null) {
          await guard.checkSiteAccess(visitor, endpoint);
          const call = { request, reply, route: apiRoute, ctx: visitor };
          return responseCache.send(cacheKey, call, (ctx) => runRoute(apiRoute, ctx, guard, readInput));
        }
        const token = bearerToken(request);
        const user = token ? await guard.authenticate(visitor, token) : null;
        const ctx: Context = { ...visitor, user };
        // Public endpoints serve a caller with an ended session as a visitor; the header tells the browser.
        if (token && !user) reply.header(SESSION_HEADER, SESSION_ENDED);
        await guard.onAuthenticated(ctx, request, reply);
        const result = await runRoute(apiRoute, ctx, guard, readInput);
        await recordRequest(apiRoute, ctx, result);
        responseCache.invalidateAfter(request);
        if (endpoint.download) setDownloadHeaders(reply, endpoint.download);
        return selectFields(result);
      },
    });
  }
}
