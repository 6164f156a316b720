import { lazy, Suspense } from 'react';
import { create } from 'zustand';
import { toast } from '#platform/web/toast.ts';
import { refreshUser, useUser } from './session.ts';

const ProfileDialog = lazy(() =>
  import('#modules/user/web/profile-dialog.tsx').then((module) => ({
    default: module.ProfileDialog,
  })),
);

const useProfile = create<{ open: boolean; wanted: boolean }>()(() => ({
  open: false,
  wanted: false,
}));

/** Shows the own profile, with the latest the server knows. */
export function openProfile() {
  useProfile.setState({ open: true, wanted: true });
  refreshUser().catch((error: unknown) => toast.failure(error, '获取用户信息失败'));
}

/** Where the dialog lives, once per page; its code loads when it is first opened. */
export function ProfileHost() {
  const { open, wanted } = useProfile();
  const user = useUser();
  if (!user || !wanted) return null;
  return (
    <Suspense fallback={null}>
      <ProfileDialog user={user} open={open} onClose={() => useProfile.setState({ open: false })} />
    </Suspense>
  );
}
