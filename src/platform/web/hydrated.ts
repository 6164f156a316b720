import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while the server renders and while its page is taken over, true afterwards. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
