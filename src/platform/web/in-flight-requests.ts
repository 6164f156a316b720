/** `count` is the number of in-flight requests, `hasFailed` whether the last one to end failed. */
type Listener = (count: number, hasFailed: boolean) => void;

const listeners = new Set<Listener>();
let count = 0;

const notifyListeners = (hasFailed: boolean) => {
  for (const listener of listeners) listener(count, hasFailed);
};

/** Counts a request until it settles. Aborted requests and expected errors are not reported as failures. */
export function trackRequest<T>(
  request: Promise<T>,
  isExpectedError: (error: unknown) => boolean = () => false,
): Promise<T> {
  count += 1;
  notifyListeners(false);
  return request.then(
    (value) => {
      count -= 1;
      notifyListeners(false);
      return value;
    },
    (error: unknown) => {
      count -= 1;
      notifyListeners(!(isAborted(error) || isExpectedError(error)));
      throw error;
    },
  );
}

const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

export function onInFlightChange(listener: Listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
