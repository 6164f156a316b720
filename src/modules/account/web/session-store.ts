import { useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { InputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, setTokenSource } from '#platform/web/api.ts';
import { clearStorage, localStorageOptions, STORAGE_PREFIX } from '#platform/web/browser-storage.ts';
import { useDevice } from '#platform/web/device.ts';
import { toast } from '#platform/web/toast.ts';
import { type User, userApi, userErrors } from '../account.contract.ts';
import { myPermissionsApi, type Permission } from '../permission.contract.ts';
import { allowedPages, permissionName } from '../permission-pages.contract.ts';

type Session = {
  user: User | null;
  token: string;
  permissions: Permission[];
  /** Pages of the back-office that the permissions open. */
  pages: string[];
};
const NO_SESSION: Session = { user: null, token: '', permissions: [], pages: [] };

/** Rights of a session that the server ended. The back-office stays open with them until a new login. */
export type EndedSession = { userId: number; permissions: Permission[]; pages: string[] };
export const useEndedSession = create<{ ended: EndedSession | null; hasDialog: boolean }>()(() => ({
  ended: null,
  /** Whether a login dialog is open, which makes the notice unnecessary. */
  hasDialog: false,
}));

export const useSession = create<Session>()(persist((): Session => NO_SESSION, localStorageOptions('user')));

/** The logged-in user; null for a visitor, on the server and during hydration. */
export const useUser = () => useSession(({ user }) => (user && user.id > 0 ? user : null));
export const getSessionUser = () => {
  const { user } = useSession.getState();
  return user && user.id > 0 ? user : null;
};

export function useBackOfficeAccess(): Pick<Session, 'permissions' | 'pages'> {
  const session = useSession();
  const { ended: endedSession } = useEndedSession();
  return endedSession ?? session;
}

/** Names of the user's permissions, as endpoints declare them. */
export function usePermissionNames(): ReadonlySet<string> {
  const { permissions } = useBackOfficeAccess();
  return useMemo(() => new Set(permissions.map(({ path }) => permissionName(path))), [permissions]);
}

const isInBackOffice = () => /^\/admin(\/|$)/.test(window.location.pathname);

function endRejectedSession(token: string) {
  const { user, permissions, pages, token: current } = useSession.getState();
  if (current !== token) return;
  // Another tab may have stored a newer session before its storage event arrives here.
  void useSession.persist.rehydrate();
  const { token: storedToken } = useSession.getState();
  if (storedToken && storedToken !== token) return;
  if (isInBackOffice()) useEndedSession.setState({ ended: { userId: user?.id ?? 0, permissions, pages } });
  useSession.setState(NO_SESSION);
  if (!useEndedSession.getState().hasDialog) showSessionEndedToast();
}

export const showSessionEndedToast = () => toast.info('登录已失效，请重新登录');

setTokenSource({
  token: () => useSession.getState().token,
  // A late refusal of an old token must not end the session that followed it.
  onTokenRejected: (token) => {
    endRejectedSession(token);
    return isInBackOffice();
  },
  isLoginPending: () => useEndedSession.getState().ended !== null && isInBackOffice(),
});

/** Stores user and token after a login or registration, then fetches the permissions. */
export async function startSession({ user, token }: Pick<Session, 'token'> & { user: User }) {
  useSession.setState({ ...NO_SESSION, user, token });
  await replaceEndedSession();
}

/** Fetches the permissions of the new session, then discards the ended session. */
async function replaceEndedSession() {
  const isFetched = await refreshPermissions();
  const { ended: endedSession } = useEndedSession.getState();
  // When fetching failed, the open screen keeps the permissions of the ended session.
  if (!isFetched && endedSession && endedSession.userId === getSessionUser()?.id)
    setPermissions(endedSession.permissions);
  // The new session may have ended in the meantime.
  if (useSession.getState().token) useEndedSession.setState({ ended: null });
}

/** Throws when the server refuses the login. */
export async function login(input: InputOf<typeof userApi.login>) {
  // A request for the second factor is a step of the login, not a failure.
  const session = await callEndpoint(userApi.login, input, { isExpectedError: userErrors.codeNeeded.is });
  await startSession(session);
  return session.user;
}

export const setPermissions = (permissions: Permission[]) =>
  useSession.setState({ permissions, pages: allowedPages(permissions) });

/** Returns whether the permissions could be fetched. */
export async function refreshPermissions(): Promise<boolean> {
  try {
    const { permission } = await callEndpoint(myPermissionsApi.mine, {});
    setPermissions(permission);
    return true;
  } catch (error) {
    toast.failure(error, '获取权限失败');
    return false;
  }
}

export async function refreshUser() {
  useSession.setState({ user: (await callEndpoint(userApi.get, {})) as User });
}

/** For callers that do not wait: shows a toast when fetching fails. */
export const refreshUserInBackground = () =>
  refreshUser().catch((error: unknown) => toast.failure(error, '获取用户信息失败'));

/** Ends the session on the server and clears all local data, also when the server did not answer. */
export async function logout() {
  const answer = callEndpoint(userApi.logout, {});
  // Cleared before the answer, so that logging out of an already ended session shows no notice.
  clearSession();
  await answer;
}

export function clearSession() {
  useSession.setState(NO_SESSION);
  useEndedSession.setState({ ended: null });
  // The stored theme is cleared too, so the page follows the system theme.
  useDevice.setState({ theme: 'system' });
  clearStorage();
}

/**
 * Adopts the session that another tab has stored: its end, or a new login. A screen of the back-office stays open
 * meanwhile, so that typed text is not lost.
 */
async function adoptStoredSession() {
  const { user, token, permissions, pages } = useSession.getState();
  // The storage is synchronous: React renders only after `ended` is set below.
  void useSession.persist.rehydrate();
  const { token: storedToken } = useSession.getState();
  const { ended: endedSession, hasDialog } = useEndedSession.getState();
  if (storedToken === token) return;
  if (!hasDialog) {
    if (storedToken) useEndedSession.setState({ ended: null });
    return;
  }
  const screen = endedSession ?? { userId: user?.id ?? 0, permissions, pages };
  useEndedSession.setState({ ended: screen });
  if (!storedToken) return;
  // Another user must not see the screen of the former one.
  if (getSessionUser()?.id !== screen.userId) window.location.assign('/admin');
  await replaceEndedSession();
}

/** Sets `data-session` for the styles and follows logins and logouts in other tabs; returns a function that stops this. */
export function syncSessionAcrossTabs() {
  const updateDataset = () => {
    if (getSessionUser()) document.documentElement.dataset.session = 'user';
    else delete document.documentElement.dataset.session;
  };
  const name = `${STORAGE_PREFIX}user`;
  const onStorage = ({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>) => {
    if (key !== null && key !== name) return;
    if (newValue !== null) return void adoptStoredSession();
    useSession.setState(NO_SESSION);
    useEndedSession.setState({ ended: null });
  };
  updateDataset();
  const unsubscribe = useSession.subscribe(updateDataset);
  window.addEventListener('storage', onStorage);
  // Storage events before hydration were missed.
  void Promise.resolve(localStorageOptions<Session>('user').storage?.getItem(name)).then((storedSession) => {
    if ((storedSession?.state.token ?? '') === useSession.getState().token) return;
    onStorage({ key: name, newValue: storedSession ? storedSession.state.token : null });
  });
  return () => {
    unsubscribe();
    window.removeEventListener('storage', onStorage);
  };
}
