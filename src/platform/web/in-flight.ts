/** Requests under way. The loading bar listens. */
type Listener = (count: number, failed: boolean) => void;

const listeners = new Set<Listener>();
let count = 0;

const tell = (failed: boolean) => {
  for (const listener of listeners) listener(count, failed);
};

/** What was called off is no failure; `isExpectedError` tells which errors are no failure. */
export function track<T>(work: Promise<T>, isExpectedError: (error: unknown) => boolean = () => false): Promise<T> {
  count += 1;
  tell(false);
  return work.then(
    (value) => {
      count -= 1;
      tell(false);
      return value;
    },
    (error: unknown) => {
      count -= 1;
      tell(!(isCalledOff(error) || isExpectedError(error)));
      throw error;
    },
  );
}

const isCalledOff = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

export function onInFlight(listener: Listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
