import { useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { InputOf } from '#platform/contract/endpoint.ts';
import { call, setBearer } from '#platform/web/api.ts';
import { useDevice } from '#platform/web/device.ts';
import { clearStorage, persisted, STORAGE_PREFIX } from '#platform/web/storage.ts';
import { toast } from '#platform/web/toast.ts';
import { type User, userApi, userErrors } from '../account.contract.ts';
import { myPermissionsApi, type Permission } from '../permission.contract.ts';
import { allowedPages, permissionName } from '../permission-pages.contract.ts';

type Session = {
  user: User | null;
  token: string;
  permissions: Permission[];
  /** Pages of the back-office the permissions open. */
  pages: string[];
};
const NO_SESSION: Session = { user: null, token: '', permissions: [], pages: [] };

/** What a session that the server ended could do; the back-office stays open for a new login. */
export type EndedSession = { userId: number; permissions: Permission[]; pages: string[] };
export const useEndedSession = create<{ ended: EndedSession | null; hasDialog: boolean }>()(() => ({
  ended: null,
  /** Whether a dialog asks for the login, which makes the notice unnecessary. */
  hasDialog: false,
}));

export const useSession = create<Session>()(persist((): Session => NO_SESSION, persisted('user')));

/** The account in use; null for a visitor. On the server and during hydration everybody is a visitor. */
export const useUser = () => useSession(({ user }) => (user && user.id > 0 ? user : null));
export const currentUser = () => {
  const { user } = useSession.getState();
  return user && user.id > 0 ? user : null;
};

/** Permissions and pages of the session, or of the one that has just ended. */
export function useBackOfficeAccess(): Pick<Session, 'permissions' | 'pages'> {
  const session = useSession();
  const { ended } = useEndedSession();
  return ended ?? session;
}

/** Names of the permissions held, as endpoints declare them. */
export function usePermissionNames(): ReadonlySet<string> {
  const { permissions } = useBackOfficeAccess();
  return useMemo(() => new Set(permissions.map(({ path }) => permissionName(path))), [permissions]);
}

const isInBackOffice = () => /^\/admin(\/|$)/.test(window.location.pathname);

function endSession(token: string) {
  const { user, permissions, pages, token: current } = useSession.getState();
  if (current !== token) return;
  // Another tab may have stored a newer session before its storage event arrives here.
  void useSession.persist.rehydrate();
  const { token: stored } = useSession.getState();
  if (stored && stored !== token) return;
  if (isInBackOffice()) useEndedSession.setState({ ended: { userId: user?.id ?? 0, permissions, pages } });
  useSession.setState(NO_SESSION);
  if (!useEndedSession.getState().hasDialog) showSessionEndedToast();
}

export const showSessionEndedToast = () => toast.info('登录已失效，请重新登录');

setBearer({
  token: () => useSession.getState().token,
  // A late refusal of an old token must not end the session that followed it.
  refused: (token) => {
    endSession(token);
    return isInBackOffice();
  },
  isWaiting: () => useEndedSession.getState().ended !== null && isInBackOffice(),
});

/** Stores user and token of a login or registration, then asks what this user may do. */
export async function startSession({ user, token }: Pick<Session, 'token'> & { user: User }) {
  useSession.setState({ ...NO_SESSION, user, token });
  await replaceEndedSession();
}

/** Asks what the new session may do, then closes the one that ended. */
async function replaceEndedSession() {
  const isAnswered = await refreshPermissions();
  const { ended } = useEndedSession.getState();
  // Without an answer, the screen of the ended session stays open with the permissions it had.
  if (!isAnswered && ended && ended.userId === currentUser()?.id) setPermissions(ended.permissions);
  // The new session may have ended in the meantime.
  if (useSession.getState().token) useEndedSession.setState({ ended: null });
}

/** Throws when the login is refused. */
export async function login(input: InputOf<typeof userApi.login>) {
  // Being asked for the second factor is a step, not a failure.
  const opened = await call(userApi.login, input, { isUsual: userErrors.codeNeeded.is });
  await startSession(opened);
  return opened.user;
}

export const setPermissions = (permissions: Permission[]) =>
  useSession.setState({ permissions, pages: allowedPages(permissions) });

/** Whether the server answered. */
export async function refreshPermissions(): Promise<boolean> {
  try {
    const { permission } = await call(myPermissionsApi.mine, {});
    setPermissions(permission);
    return true;
  } catch (error) {
    toast.failure(error, '获取权限失败');
    return false;
  }
}

/** Reads the own account again. */
export async function refreshUser() {
  useSession.setState({ user: (await call(userApi.get, {})) as User });
}

/** The same, where nobody waits for it: a failure is told. */
export const refreshUserInBackground = () =>
  refreshUser().catch((error: unknown) => toast.failure(error, '获取用户信息失败'));

/** Ends the session on the server and forgets everything here, also when the server did not answer. */
export async function logout() {
  const answer = call(userApi.logout, {});
  // Before the answer: a logout of a session that had ended needs no notice of its end.
  clearSession();
  await answer;
}

/** The session has ended on the server: nothing of it stays here. */
export function clearSession() {
  useSession.setState(NO_SESSION);
  useEndedSession.setState({ ended: null });
  // The page follows the system theme now, as it will after a reload.
  useDevice.setState({ theme: 'system' });
  clearStorage();
}

/**
 * Takes over what another tab has stored: the end of the session, or a login that replaces it. A screen
 * of the back-office stays open meanwhile, so that typed text is not lost.
 */
async function adoptStoredSession() {
  const { user, token, permissions, pages } = useSession.getState();
  // The storage answers synchronously: React renders only after `ended` is set below.
  void useSession.persist.rehydrate();
  const { token: storedToken } = useSession.getState();
  const { ended, hasDialog } = useEndedSession.getState();
  if (storedToken === token) return;
  if (!hasDialog) {
    if (storedToken) useEndedSession.setState({ ended: null });
    return;
  }
  const screen = ended ?? { userId: user?.id ?? 0, permissions, pages };
  useEndedSession.setState({ ended: screen });
  if (!storedToken) return;
  // The screen of one user is not for another.
  if (currentUser()?.id !== screen.userId) window.location.assign('/admin');
  await replaceEndedSession();
}

/** Marks the page for the styles, and follows logins and logouts in other tabs; returns how to stop. */
export function syncSessionAcrossTabs() {
  const mark = () => {
    if (currentUser()) document.documentElement.dataset.session = 'user';
    else delete document.documentElement.dataset.session;
  };
  const name = `${STORAGE_PREFIX}user`;
  const adopt = ({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>) => {
    if (key !== null && key !== name) return;
    if (newValue !== null) return void adoptStoredSession();
    useSession.setState(NO_SESSION);
    useEndedSession.setState({ ended: null });
  };
  mark();
  const forget = useSession.subscribe(mark);
  window.addEventListener('storage', adopt);
  // Nobody heard what happened in other tabs while this one was being made alive.
  void Promise.resolve(persisted<Session>('user').storage?.getItem(name)).then((kept) => {
    if ((kept?.state.token ?? '') === useSession.getState().token) return;
    adopt({ key: name, newValue: kept ? kept.state.token : null });
  });
  return () => {
    forget();
    window.removeEventListener('storage', adopt);
  };
}
