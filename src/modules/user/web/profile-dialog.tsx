import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime } from '#platform/contract/format.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import type { User } from '../user.contract.ts';

/** The own account, read-only. An empty value shows as '-'. */
export function ProfileDialog({
  user,
  open,
  onClose,
}: {
  user: User;
  open: boolean;
  onClose: () => void;
}) {
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
    <Dialog open={open} onClose={onClose} title="个人资料">
      <div className="flex items-center gap-4 rounded-md bg-sunken p-4">
        <Avatar src={user.avatar} size={56} />
        <div className="min-w-0">
          <p className="truncate font-serif text-18 font-bold">{user.username}</p>
          <p className="text-13 text-ink-2">第 {user.id} 位读者</p>
        </div>
      </div>
      <dl className="mt-2 text-14">
        {rows.map(([label, value]) => (
          <div key={label} className="flex gap-4 border-b border-line py-2.5 last:border-0">
            <dt className="w-20 shrink-0 text-ink-2">{label}</dt>
            <dd className="min-w-0 flex-1 whitespace-pre-line">{value || '-'}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
