import type { DetailedError, HttpRequest, HttpResponse } from 'tus-js-client';
import { isPassing } from '#platform/contract/errors.ts';

/** Between tries; a network that is gone for longer is waited for as well. */
const RETRY_MS = [0, 1_000, 3_000, 5_000, ...Array<number>(12).fill(10_000)];

export const statusOf = (error: Error | DetailedError): number =>
  ('originalResponse' in error && error.originalResponse?.getStatus()) || 0;

/** No answer, a server that restarts, or a part that was stored twice: the next try may succeed. */
function isWorthRetrying(error: DetailedError): boolean {
  const status = statusOf(error);
  return status === 409 || status === 423 || isPassing(status);
}

/** How an upload goes on after whatever passes, from the byte it had got to. */
export const resumeOptions = {
  retryDelays: RETRY_MS,
  onShouldRetry: isWorthRetrying,
  onAfterResponse(request: HttpRequest, response: HttpResponse): void {
    const status = response.getStatus();
    // The client takes any refused question for the end of the upload and begins anew at byte 0.
    if (request.getMethod() === 'HEAD' && isPassing(status)) throw new Error(`the server answered ${status}`);
  },
};
