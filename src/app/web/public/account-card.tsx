import { Check, LogOut } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { User } from '#modules/account/account.contract.ts';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { useLogout } from '#modules/account/web/use-logout.ts';
import { CheckInButton } from '#modules/check-in/web/check-in-button.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';

const BENEFITS = ['上传并分享您的文档', '收藏喜欢的文档', '每日签到领取奖励', '关注作者，参与点评'];

export function GuestCard() {
  const { security } = useSettings();
  return (
    <div className="card guest-only flex h-full flex-col p-6">
      <h2 className="font-serif text-18 font-bold">欢迎您，游客</h2>
      <p className="mt-1 text-14 text-ink-2">登录之后，您可以</p>
      <ul className="mt-4 mb-6 space-y-2 text-14">
        {BENEFITS.map((benefit) => (
          <li key={benefit} className="flex items-center gap-2.5">
            <Check aria-hidden="true" className="size-4 shrink-0 text-bean" />
            {benefit}
          </li>
        ))}
      </ul>
      <div className="mt-auto">
        <ButtonLink to="/login" className="w-full">
          马上登录
        </ButtonLink>
        <div className="mt-2 flex justify-between text-14">
          <Link to="/findpassword" className="quiet-link inline-flex min-h-10 items-center">
            找回密码
          </Link>
          {security.enable_register ? (
            <Link to="/register" className="quiet-link inline-flex min-h-10 items-center">
              注册账户
            </Link>
          ) : null}
        </div>
      </div>
    </div>
  );
}

export function MemberCard({ user }: { user: User }) {
  const { credit_name } = useSettings().system;
  const logout = useLogout();
  // Credits and counts change on other pages too.
  useEffect(() => void refreshUserInBackground(), []);
  const home = `/user/${user.id}`;
  const counts: [string, number, string, string][] = [
    ['文档', user.doc_count, `${home}/document`, ''],
    ['收藏', user.favorite_count, `${home}/favorite`, ''],
    [credit_name || '豆', user.credit_count, `${home}/credit`, 'text-gold'],
  ];
  return (
    <section aria-label="我的账户" className="card flex h-full flex-col p-6">
      <div className="flex items-center gap-3">
        <Avatar src={user.avatar} size={48} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate">
            <Link to={home} className="rounded-sm font-serif text-18 font-bold transition-colors hover:text-bean">
              {user.username}
            </Link>
          </h2>
          <p className="truncate text-13 text-ink-2">{user.signature || '暂无个性签名'}</p>
        </div>
      </div>
      <ul className="my-5 grid grid-cols-3 text-center">
        {counts.map(([label, value, to, tone]) => (
          <li key={label}>
            <Link to={to} className="quiet-link flex flex-col-reverse py-1">
              <span className="text-13">{label}</span>
              <span className={`text-18 font-bold ${tone || 'text-ink'}`}>{value}</span>
            </Link>
          </li>
        ))}
      </ul>
      <CheckInButton className="w-full" />
      <Button variant="quiet" className="mt-auto w-full" onClick={logout}>
        <LogOut aria-hidden="true" className="size-4" />
        退出登录
      </Button>
    </section>
  );
}
