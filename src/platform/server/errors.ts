import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, httpErrors } from '#platform/contract/errors.ts';
import { isBadValue, isDatabaseDown } from './db.ts';

const RETRY_SECONDS = 5;

/** What a failure becomes for the person who reads it; never a stack, an SQL text or a path. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return httpErrors.tooLarge();
  if (statusCode === 415) return httpErrors.unsupportedType();
  if (code === 'FST_ERR_HANDLER_TIMEOUT')
    return httpErrors.unavailable('处理超时，请稍后重试', RETRY_SECONDS);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return httpErrors.badRequest();
  if (isDatabaseDown(error)) return httpErrors.unavailable(undefined, RETRY_SECONDS);
  if (isBadValue(error)) return httpErrors.invalidInput();
  return httpErrors.internal();
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, code, message, retryAfter } = toAppError(error);
  // What we refuse on purpose is an answer, whatever its number.
  if (status >= 500 && !(error instanceof AppError))
    request.log.error({ err: error }, 'request failed');
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  // Whoever sends too slowly would keep the connection for hours.
  if ((error as Partial<FastifyError>).code === 'FST_ERR_HANDLER_TIMEOUT')
    reply.header('connection', 'close');
  return reply
    .header('cache-control', 'no-store')
    .status(status)
    .send({ code, message, error: message });
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(httpErrors.notFound(), request, reply));
}
