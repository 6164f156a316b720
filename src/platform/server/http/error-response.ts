import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorBody, httpErrors } from '#platform/contract/errors.ts';
import { causeOf, isBadValue, isDatabaseDown } from '../db/db.ts';
import { isOutOfSpace } from '../storage/out-of-space.ts';
import { type StoreName, StoreUnresponsive } from '../store-watch.ts';

/** How long a client is asked to wait when a store or the time ran out. */
export const RETRY_SECONDS = 5;

const unresponsive: Record<StoreName, string> = {
  postgres: '数据库暂时没有响应，请稍后重试',
  s3: '文件存储暂时没有响应，请稍后重试',
  opensearch: '搜索服务暂时没有响应，请稍后重试',
};

/**
 * The only place where a failure becomes something that a client reads. An error that is not an
 * AppError contributes its kind and nothing else: no message, stack, SQL text or path.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return httpErrors.tooLarge();
  if (statusCode === 415) return httpErrors.unsupportedType();
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return httpErrors.unavailable('处理超时，请稍后重试', RETRY_SECONDS);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return httpErrors.badRequest();
  if (isOutOfSpace(error)) return httpErrors.noSpace();
  const cause = causeOf(error);
  if (cause instanceof StoreUnresponsive) return httpErrors.unavailable(unresponsive[cause.store], RETRY_SECONDS);
  if (isDatabaseDown(error)) return httpErrors.unavailable(undefined, RETRY_SECONDS);
  if (isBadValue(error)) return httpErrors.invalidInput();
  return httpErrors.internal();
}

/** Sets status and headers of an error answer and returns its body. */
export function prepareError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = toAppError(error);
  // A refusal on purpose is an answer, whatever its status.
  if (answer.status >= 500 && !(error instanceof AppError)) request.log.error({ err: error }, 'request failed');
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  // A client that sends too slowly would hold the connection for hours.
  if ((error as Partial<FastifyError> | null)?.code === 'FST_ERR_HANDLER_TIMEOUT') reply.header('connection', 'close');
  reply.header('cache-control', 'no-store').status(answer.status);
  return errorBody(answer);
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  return reply.send(prepareError(error, request, reply));
}

/**
 * Writes the answer past every hook. After a hook that fails while an error is being sent, Fastify's
 * own handlers would answer with the message of that failure.
 */
function writeError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const body = JSON.stringify(prepareError(error, request, reply));
  for (const name of ['content-encoding', 'content-disposition', 'etag']) reply.removeHeader(name);
  reply.type('application/json; charset=utf-8').header('content-length', Buffer.byteLength(body));
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end(request.method === 'HEAD' ? undefined : body);
}

export function answerErrors(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.errorHandler ??= sendError;
  });
  // Reached when the handler of a route failed itself, and where there is no route.
  app.setErrorHandler(writeError);
  app.setNotFoundHandler((request, reply) => sendError(httpErrors.notFound(), request, reply));
}
