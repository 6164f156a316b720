import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import type { User } from '#modules/account/account.contract.ts';
import { ProfileDialog } from '#modules/account/web/profile-dialog.tsx';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { AvatarUpload } from '#modules/attachment/web/avatar-upload.tsx';

export function UserInfoDialog({ user, open, onClose }: { user: User; open: boolean; onClose: () => void }) {
  return (
    <ProfileDialog
      user={user}
      open={open}
      onClose={onClose}
      onSaved={refreshUserInBackground}
      avatar={<AvatarUpload src={user.avatar} />}
      security={
        <Link
          to={`/user/${user.id}/security`}
          onClick={onClose}
          className="quiet-link mt-4 flex min-h-10 items-center justify-center gap-1.5 text-14"
        >
          管理登录设备和两步验证
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      }
    />
  );
}
