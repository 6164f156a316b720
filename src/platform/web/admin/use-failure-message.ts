import { App } from 'antd';
import { useCallback } from 'react';
import { isSessionEnd } from '../api.ts';

/** Shows the message of an error, except for the end of the session, which the login dialog shows. */
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
