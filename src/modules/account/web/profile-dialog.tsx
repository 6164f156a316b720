import type { ReactNode } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime } from '#platform/contract/date-time.ts';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Tabs } from '#platform/web/ui/tabs.tsx';
import type { User } from '../account.contract.ts';
import { ChangePasswordForm } from './change-password-form.tsx';
import { editableProfile, ProfileForm } from './profile-form.tsx';

type Props = {
  user: User;
  open: boolean;
  onClose: () => void;
  onSaved: () => void;
  /** The avatar with its upload control. */
  avatar: ReactNode;
  /** Shown below the password form. */
  security?: ReactNode;
};

export function ProfileDialog({ user, open, onClose, onSaved, avatar, security }: Props) {
  const closeAfterSave = () => {
    onSaved();
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title="个人资料">
      <div className="mb-2 flex items-center gap-4 rounded-md bg-sunken p-4">
        {avatar}
        <div className="min-w-0">
          <p className="truncate font-serif text-18 font-bold">{user.username}</p>
          <p className="text-13 text-ink-2">第 {user.id} 位读者</p>
        </div>
      </div>
      <Tabs
        label="个人资料"
        tabs={[
          { value: 'view', title: '个人资料', content: <ProfileView user={user} /> },
          {
            value: 'edit',
            title: '修改资料',
            // The refreshed user may arrive after the dialog opened; the key then resets the form.
            content: <ProfileForm key={JSON.stringify(editableProfile(user))} user={user} onSaved={closeAfterSave} />,
          },
          {
            value: 'password',
            title: '修改密码',
            content: (
              <>
                <ChangePasswordForm userId={user.id} onDone={onClose} />
                {security}
              </>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

function ProfileView({ user }: { user: User }) {
  const { timezone } = useSettings().system;
  const rows: [string, string][] = [
    ['用户名', user.username],
    ['真实姓名', user.realname],
    ['身份证号', user.identity],
    ['联系邮箱', user.email],
    ['联系电话', user.mobile],
    ['联系地址', user.address],
    ['个性签名', user.signature],
    ['注册时间', formatDateTime(user.created_at, timezone)],
    ['最后登录', formatDateTime(user.login_at, timezone)],
    ['登录 IP', user.last_login_ip],
  ];
  return (
    <dl className="-mt-3 text-14">
      {rows.map(([label, value]) => (
        <div key={label} className="flex gap-4 border-b border-line py-2.5 last:border-0">
          <dt className="w-20 shrink-0 text-ink-2">{label}</dt>
          <dd className="min-w-0 flex-1 whitespace-pre-line">{value || '-'}</dd>
        </div>
      ))}
    </dl>
  );
}
