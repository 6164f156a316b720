import { App } from 'antd';
import { useCallback } from 'react';
import { isSessionEnd } from '../api.ts';

/** Shows why something failed; the end of the session is shown by the login dialog instead. */
export function useFailureMessage() {
  const { message } = App.useApp();
  return useCallback(
    (error: unknown, fallback: string): void => {
      if (isSessionEnd(error)) return;
      message.error((error instanceof Error && error.message) || fallback);
    },
    [message],
  );
}
