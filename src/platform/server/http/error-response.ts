import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorBody, httpErrors } from '#platform/contract/errors.ts';
import { isDatabaseUnavailable, isInvalidValueError, unwrapCause } from '../db/db.ts';
import { type StoreName, StoreUnresponsiveError } from '../hang-detector.ts';
import { isOutOfSpace } from '../storage/out-of-space.ts';
import { StorageServerError } from '../storage/storage-errors.ts';

/** Value of Retry-After when a store is unavailable or the handler timed out. */
export const RETRY_SECONDS = 5;

const UNRESPONSIVE_MESSAGES: Record<StoreName, string> = {
  postgres: '数据库暂时没有响应，请稍后重试',
  s3: '文件存储暂时没有响应，请稍后重试',
  opensearch: '搜索服务暂时没有响应，请稍后重试',
};

/**
 * The only place where an error becomes a response. Of an error that is not an AppError the client learns only the kind:
 * no message, stack, SQL text or path.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return httpErrors.tooLarge();
  if (statusCode === 415) return httpErrors.unsupportedType();
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return httpErrors.unavailable('处理超时，请稍后重试', RETRY_SECONDS);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return httpErrors.badRequest();
  if (isOutOfSpace(error)) return httpErrors.noSpace();
  const cause = unwrapCause(error);
  if (cause instanceof StoreUnresponsiveError)
    return httpErrors.unavailable(UNRESPONSIVE_MESSAGES[cause.store], RETRY_SECONDS);
  if (error instanceof StorageServerError)
    return httpErrors.unavailable('文件存储暂时不可用，请稍后重试', RETRY_SECONDS);
  if (isDatabaseUnavailable(error)) return httpErrors.unavailable(undefined, RETRY_SECONDS);
  if (isInvalidValueError(error)) return httpErrors.invalidInput();
  return httpErrors.internal();
}

/** Sets status and headers of an error response and returns its body. */
export function prepareErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const appError = toAppError(error);
  // An AppError is an intended response, also with status 5xx, and is not logged.
  if (appError.status >= 500 && !(error instanceof AppError)) request.log.error({ err: error }, 'request failed');
  if (appError.retryAfter !== undefined) reply.header('retry-after', appError.retryAfter);
  // Otherwise a client that sends slowly would keep the connection open for hours.
  if ((error as Partial<FastifyError> | null)?.code === 'FST_ERR_HANDLER_TIMEOUT') reply.header('connection', 'close');
  reply.header('cache-control', 'no-store').status(appError.status);
  return errorBody(appError);
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  return reply.send(prepareErrorResponse(error, request, reply));
}

/**
 * Writes the response without running hooks: if a hook failed while an error response was sent, Fastify's default
 * handlers would send the message of that failure.
 */
function writeErrorWithoutHooks(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const body = JSON.stringify(prepareErrorResponse(error, request, reply));
  for (const name of ['content-encoding', 'content-disposition', 'etag']) reply.removeHeader(name);
  reply.type('application/json; charset=utf-8').header('content-length', Buffer.byteLength(body));
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end(request.method === 'HEAD' ? undefined : body);
}

export function registerErrorHandlers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.errorHandler ??= sendError;
  });
  // Called if the error handler of a route fails, and for requests without a route.
  app.setErrorHandler(writeErrorWithoutHooks);
  app.setNotFoundHandler((request, reply) => sendError(httpErrors.notFound(), request, reply));
}
