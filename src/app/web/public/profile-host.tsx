import { lazy, Suspense, useEffect } from 'react';
import { closeProfile, useProfile } from '#modules/account/web/open-profile.ts';
import { useUser } from '#modules/account/web/session.ts';

const UserInfoDialog = lazy(() =>
  import('./user-info-dialog.tsx').then((module) => ({ default: module.UserInfoDialog })),
);

/** Where the dialog lives, once per page; its code loads when it is first opened. */
export function ProfileHost() {
  const { open, wanted } = useProfile();
  const user = useUser();
  useEffect(() => {
    if (!user) closeProfile();
  }, [user]);
  if (!user || !wanted) return null;
  return (
    <Suspense fallback={null}>
      <UserInfoDialog user={user} open={open} onClose={closeProfile} />
    </Suspense>
  );
}
