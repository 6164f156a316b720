import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AppError, errorBody, httpErrors } from '#platform/contract/errors.ts';
import { createNonce } from '#platform/server/http/nonce.ts';
import { createRequestId, securityHeadersOf } from './security-headers.ts';

type ClientError = Error & { code?: string };

function parserErrorToAppError({ code }: ClientError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return httpErrors.headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpErrors.requestTimeout();
  return httpErrors.badRequest();
}

const REASON_PHRASES: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** True if a response on this connection has started: another one would become part of its body. */
const hasStartedResponse = (socket: Socket & { _httpMessage?: ServerResponse | null }) =>
  socket._httpMessage?.headersSent === true;

/** Answers bytes that the HTTP parser rejects. No request exists yet, so no hook runs. */
export function answerUnparsableRequest(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const appError = parserErrorToAppError(error);
  const body = JSON.stringify(errorBody(appError));
  const headers = {
    ...securityHeadersOf(createNonce(), createRequestId()),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${appError.status} ${REASON_PHRASES[appError.status]}\r\n`;
  if (socket.writable && !hasStartedResponse(socket)) socket.write(`${status}${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}
