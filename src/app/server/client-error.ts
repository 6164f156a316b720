import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AppError, errorBody, httpErrors } from '#platform/contract/errors.ts';
import { createNonce } from '#platform/server/http/nonce-page.ts';
import { newRequestId, securityHeadersOf } from './security-headers.ts';

type ClientError = Error & { code?: string };

function refusalOf({ code }: ClientError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return httpErrors.headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpErrors.requestTimeout();
  return httpErrors.badRequest();
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Whether a response on this connection has begun: another one would become part of its body. */
const isAnswering = (socket: Socket & { _httpMessage?: ServerResponse | null }) =>
  socket._httpMessage?.headersSent === true;

/** Answers bytes that the HTTP parser refuses. There is no request yet, so nothing else runs. */
export function answerClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const refusal = refusalOf(error);
  const body = JSON.stringify(errorBody(refusal));
  const headers = {
    ...securityHeadersOf(createNonce(), newRequestId()),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\n`;
  if (socket.writable && !isAnswering(socket)) socket.write(`${status}${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}
