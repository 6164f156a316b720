import { lazy, Suspense, useEffect } from 'react';
import { closeProfile, useProfile } from '#modules/account/web/open-profile.ts';
import { useUser } from '#modules/account/web/session.ts';

const UserInfoDialog = lazy(() =>
  import('./user-info-dialog.tsx').then((module) => ({ default: module.UserInfoDialog })),
);

/** Renders the profile dialog, once per page. Its code is loaded when it is first opened. */
export function ProfileHost() {
  const { open, hasBeenOpened } = useProfile();
  const user = useUser();
  useEffect(() => {
    if (!user) closeProfile();
  }, [user]);
  if (!user || !hasBeenOpened) return null;
  return (
    <Suspense fallback={null}>
      <UserInfoDialog user={user} open={open} onClose={closeProfile} />
    </Suspense>
  );
}
