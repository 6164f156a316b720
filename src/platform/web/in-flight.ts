/** Requests under way. The loading bar listens. */
type Listener = (count: number, failed: boolean) => void;

const listeners = new Set<Listener>();
let count = 0;

const tell = (failed: boolean) => {
  for (const listener of listeners) listener(count, failed);
};

export function track<T>(work: Promise<T>): Promise<T> {
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
      tell(true);
      throw error;
    },
  );
}

export function onInFlight(listener: Listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
