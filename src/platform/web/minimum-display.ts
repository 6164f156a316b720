/** A displayed loading state stays this long, so that it does not flash. */
export const MINIMUM_DISPLAY_MS = 200;

/** Settles like the request, but not before the loading state, which starts with the request, was displayed long enough. */
export async function settleAfterMinimumDisplay<T>(request: Promise<T>): Promise<T> {
  await Promise.allSettled([request, new Promise((resolve) => setTimeout(resolve, MINIMUM_DISPLAY_MS))]);
  return request;
}
