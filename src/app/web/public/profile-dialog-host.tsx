import { lazy, Suspense, useEffect } from 'react';
import { closeProfileDialog, useProfileDialog } from '#modules/account/web/profile-dialog-state.ts';
import { useUser } from '#modules/account/web/session-store.ts';

const UserInfoDialog = lazy(() =>
  import('./user-info-dialog.tsx').then((module) => ({ default: module.UserInfoDialog })),
);

/** Renders the profile dialog, once per page. Its code is loaded when it is first opened. */
export function ProfileDialogHost() {
  const { open, hasOpened } = useProfileDialog();
  const user = useUser();
  useEffect(() => {
    if (!user) closeProfileDialog();
  }, [user]);
  if (!user || !hasOpened) return null;
  return (
    <Suspense fallback={null}>
      <UserInfoDialog user={user} open={open} onClose={closeProfileDialog} />
    </Suspense>
  );
}
