import { ChevronDown, Coins, House, LogOut, Settings2, ShieldCheck, Upload, UserRound } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { openProfileDialog } from '#modules/account/web/profile-dialog-state.ts';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useLogout } from '#modules/account/web/use-logout.ts';
import { useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { CheckInButton } from '#modules/check-in/web/check-in-button.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { Drawer } from '#platform/web/ui/dialog.tsx';
import { ThemeSwitch } from '#platform/web/ui/theme-switch.tsx';
import { SearchBox } from './search-box.tsx';
import { tabTitle, userHref } from './user-tabs.tsx';

const ROW_CLASS =
  'flex min-h-11 w-full items-center gap-3 rounded-md px-2 text-left text-15 transition-colors hover:bg-bean-soft hover:text-bean';

function DrawerRow({
  icon: Icon,
  to,
  onClick,
  children,
}: {
  icon: ComponentType<{ className?: string }>;
  to?: string;
  onClick?: () => void;
  children: ReactNode;
}) {
  const content = (
    <>
      <Icon className="size-4.5 shrink-0" />
      {children}
    </>
  );
  if (to) {
    return (
      <Link to={to} onClick={onClick} className={ROW_CLASS}>
        {content}
      </Link>
    );
  }
  return (
    <button type="button" onClick={onClick} className={ROW_CLASS}>
      {content}
    </button>
  );
}

export default function MobileDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { sitename, credit_name } = useSettings().system;
  const user = useUser();
  const loginHref = useLoginHref();
  const logout = useLogout();
  const closeThen = (work: () => void) => () => {
    onClose();
    work();
  };
  return (
    <Drawer open={open} onClose={onClose} title={sitename}>
      <SearchBox onSearch={onClose} />
      <div className="mt-4">
        {user ? (
          <p className="flex items-center gap-3 px-2 py-2">
            <Avatar src={user.avatar} size={40} />
            <span className="min-w-0 truncate font-medium">{user.username}</span>
          </p>
        ) : (
          <DrawerRow icon={UserRound} to={loginHref} onClick={onClose}>
            登录注册
          </DrawerRow>
        )}
      </div>
      {user ? <CheckInButton className="my-2 w-full" /> : null}
      {user ? (
        <nav aria-label="我的账户">
          <DrawerRow icon={House} to={`/user/${user.id}`} onClick={onClose}>
            个人主页
          </DrawerRow>
          <DrawerRow icon={UserRound} onClick={closeThen(openProfileDialog)}>
            个人资料
          </DrawerRow>
          <DrawerRow icon={Upload} to="/upload" onClick={onClose}>
            上传文档
          </DrawerRow>
          <DrawerRow icon={Settings2} to="/admin" onClick={onClose}>
            管理后台
          </DrawerRow>
          <DrawerRow icon={Coins} to={userHref(user.id, 'credit')} onClick={onClose}>
            {tabTitle('credit', credit_name)}
          </DrawerRow>
          <DrawerRow icon={ShieldCheck} to={userHref(user.id, 'security')} onClick={onClose}>
            {tabTitle('security', credit_name)}
          </DrawerRow>
          <DrawerRow icon={LogOut} onClick={closeThen(logout)}>
            退出登录
          </DrawerRow>
        </nav>
      ) : null}
      <CategoryNavigation onClose={onClose} />
      <div className="mt-3 flex items-center justify-between border-t border-line pt-3 pl-2 text-14 text-ink-2">
        外观
        <ThemeSwitch />
      </div>
    </Drawer>
  );
}

/** The list of categories, initially open. */
function CategoryNavigation({ onClose }: { onClose: () => void }) {
  const roots = useVisibleCategories();
  const [open, setOpen] = useState(true);
  return (
    <nav aria-label="频道分类" className="mt-3 border-t border-line pt-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls="drawer-channels"
        onClick={() => setOpen(!open)}
        className={`${ROW_CLASS} justify-between font-medium`}
      >
        频道分类
        <ChevronDown aria-hidden="true" className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} />
      </button>
      <ul id="drawer-channels" hidden={!open}>
        <li>
          <Link to="/category" onClick={onClose} className={ROW_CLASS}>
            全部文档
          </Link>
        </li>
        {roots.map(({ id, title }) => (
          <li key={id}>
            <Link to={`/category/${id}`} onClick={onClose} className={ROW_CLASS}>
              <span className="truncate">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
