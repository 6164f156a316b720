import type { QueryClient } from '@tanstack/react-query';
import { getSessionUser, useSession } from './session-store.ts';

/**
 * Removes cached answers when another user logs in: lists of the back-office depend on the permissions of the user who
 * requested them. Returns a function that stops this.
 */
export function removeQueriesOfOtherUsers(client: QueryClient): () => void {
  let lastUserId = getSessionUser()?.id ?? 0;
  return useSession.subscribe(() => {
    const userId = getSessionUser()?.id ?? 0;
    if (userId === 0 || userId === lastUserId) return;
    if (lastUserId !== 0) client.removeQueries({ type: 'inactive' });
    lastUserId = userId;
  });
}
