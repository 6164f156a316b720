import { Coins, House, LogOut, Settings2, ShieldCheck, Upload, UserRound } from 'lucide-react';
import { Link } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Menu, MenuItem, type MenuProps, MenuSeparator } from '#platform/web/ui/menu.tsx';
import type { User } from '../account.contract.ts';
import { openProfileDialog } from './profile-dialog-state.ts';
import { useSession } from './session-store.ts';
import { useLogout } from './use-logout.ts';

const icon = { 'aria-hidden': true, className: 'size-4' } as const;

export function UserMenuPopup({
  user,
  ...popup
}: Pick<MenuProps, 'open' | 'onOpenChange' | 'anchor'> & { user: User }) {
  const mayAdminister = useSession(({ pages }) => pages.length > 0);
  const { credit_name } = useSettings().system;
  const logout = useLogout();
  return (
    <Menu {...popup} align="end" label="我的账户" className="w-48">
      <MenuItem render={<Link to={`/user/${user.id}`} />}>
        <House {...icon} />
        个人主页
      </MenuItem>
      <MenuItem onClick={openProfileDialog}>
        <UserRound {...icon} />
        个人资料
      </MenuItem>
      <MenuItem render={<Link to="/upload" />}>
        <Upload {...icon} />
        上传文档
      </MenuItem>
      {mayAdminister ? (
        <MenuItem render={<Link to="/admin" />}>
          <Settings2 {...icon} />
          管理后台
        </MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuItem render={<Link to={`/user/${user.id}/credit`} />}>
        <Coins {...icon} />
        {credit_name || '豆'}明细
      </MenuItem>
      <MenuItem render={<Link to={`/user/${user.id}/security`} />}>
        <ShieldCheck {...icon} />
        账户安全
      </MenuItem>
      <MenuSeparator />
      <MenuItem onClick={logout}>
        <LogOut {...icon} />
        退出登录
      </MenuItem>
    </Menu>
  );
}
