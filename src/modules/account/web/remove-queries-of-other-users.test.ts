import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import type { User } from '../account.contract.ts';

it('cached answers stay for the same user and are removed when another user logs in', async () => {
  const localStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  vi.stubGlobal('window', { localStorage });
  const { useSession } = await import('./session-store.ts');
  const { removeQueriesOfOtherUsers } = await import('./remove-queries-of-other-users.ts');
  const setUser = (id: number) => {
    const user = id > 0 ? ({ id, username: `user-${id}` } as User) : null;
    useSession.setState({ user, token: id > 0 ? `token-${id}` : '' });
  };
  const client = new QueryClient();
  const stop = removeQueriesOfOtherUsers(client);
  const key = ['GET', '/user/list'];
  setUser(1);
  client.setQueryData(key, 'rows for user 1');
  setUser(0);
  setUser(1);
  expect(client.getQueryData(key)).toBe('rows for user 1');
  setUser(0);
  setUser(2);
  expect(client.getQueryData(key)).toBeUndefined();
  stop();
  client.clear();
});
