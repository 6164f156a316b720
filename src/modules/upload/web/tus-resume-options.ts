import type { DetailedError, HttpRequest, HttpResponse } from 'tus-js-client';
import { isTransientStatus } from '#platform/contract/errors.ts';

/** Delays between attempts, long enough for a longer network outage. */
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, ...Array<number>(12).fill(10_000)];

export const responseStatus = (error: Error | DetailedError): number =>
  ('originalResponse' in error && error.originalResponse?.getStatus()) || 0;

/** No response, a server restart, or a part that was stored twice: the next attempt may succeed. */
function isRetryable(error: DetailedError): boolean {
  const status = responseStatus(error);
  return status === 409 || status === 423 || isTransientStatus(status);
}

/** Options that resume an upload after a temporary failure from the last stored byte. */
export const resumeOptions = {
  retryDelays: RETRY_DELAYS_MS,
  onShouldRetry: isRetryable,
  onAfterResponse(request: HttpRequest, response: HttpResponse): void {
    const status = response.getStatus();
    // tus-js-client treats any rejected HEAD request as the end of the upload and starts again at byte 0.
    if (request.getMethod() === 'HEAD' && isTransientStatus(status)) throw new Error(`the server answered ${status}`);
  },
};
