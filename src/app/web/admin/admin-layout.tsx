import { DownOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button, Drawer, Dropdown, Layout } from 'antd';
import { useEffect, useState } from 'react';
import { Link, Outlet, useLocation, useNavigate } from 'react-router';
import { PasswordDialog } from '#modules/account/web/password-dialog.tsx';
import { logout, useBackOfficeAccess, useSession } from '#modules/account/web/session.ts';
import { DefaultLogo } from '#modules/settings/web/site-logo.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { toast } from '#platform/web/toast.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { UserInfoDialog } from '../public/user-info-dialog.tsx';
import { AdminMenu, titleOf } from './admin-menu.tsx';
import { cleanPath } from './admin-paths.ts';

const MENU_WIDTH = 240;
const COLLAPSE_BELOW = 1000;
const narrow = () => window.innerWidth < COLLAPSE_BELOW;

/** Follows the window: below 1000 px the side menu folds away by itself, and comes back above. */
function useMenuFold() {
  const [isNarrow, setNarrow] = useState(narrow);
  const [folded, setFolded] = useState(narrow);
  useEffect(() => {
    const follow = () => setNarrow(narrow());
    window.addEventListener('resize', follow);
    return () => window.removeEventListener('resize', follow);
  }, []);
  useEffect(() => setFolded(isNarrow), [isNarrow]);
  return { isNarrow, folded, setFolded };
}

export function AdminLayout() {
  const path = cleanPath(useLocation().pathname);
  const { isNarrow, folded, setFolded } = useMenuFold();
  const { pages } = useBackOfficeAccess();
  const { system } = useSettings();
  const title = titleOf(path);
  useEffect(() => {
    document.title = `${title} - ${system.sitename}`;
  }, [title, system.sitename]);

  const menu = <AdminMenu path={path} pages={pages} onGo={() => isNarrow && setFolded(true)} />;
  const brand = (
    <Link to="/" className="admin-brand" aria-label={`${system.sitename}，返回首页`}>
      {system.logo ? (
        <img src={system.logo} alt="" className="h-8 w-auto max-w-40 object-contain" />
      ) : (
        <>
          <DefaultLogo className="size-7" />
          <span>{system.sitename}</span>
        </>
      )}
    </Link>
  );
  return (
    <Layout style={{ minHeight: '100dvh' }}>
      {isNarrow ? (
        <Drawer
          placement="left"
          open={!folded}
          onClose={() => setFolded(true)}
          size={MENU_WIDTH}
          title={brand}
          styles={{ body: { padding: 0 } }}
        >
          {menu}
        </Drawer>
      ) : (
        <Layout.Sider width={MENU_WIDTH} collapsedWidth={0} collapsed={folded} trigger={null} className="admin-sider">
          {/* Folded, nothing of it can be reached by keyboard either. */}
          {folded ? null : (
            <>
              {brand}
              <nav aria-label="后台菜单">{menu}</nav>
            </>
          )}
        </Layout.Sider>
      )}
      <Layout>
        <Layout.Header className="admin-header">
          <Button
            type="text"
            aria-label={folded ? '展开菜单' : '收起菜单'}
            aria-expanded={!folded}
            icon={folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            onClick={() => setFolded(!folded)}
          />
          <h1 className="admin-title">{title}</h1>
          <AccountMenu />
        </Layout.Header>
        <Layout.Content className="admin-content">
          <Outlet />
        </Layout.Content>
      </Layout>
    </Layout>
  );
}

function AccountMenu() {
  const user = useSession(({ user }) => user);
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'profile' | 'password' | null>(null);
  const close = () => setDialog(null);
  const leave = async () => {
    const tell = await logout().then(
      () => () => toast.success('退出成功'),
      (error: unknown) => () => toast.failure(error, '已在本机退出，但服务器没有响应'),
    );
    // Said where it is read: the way home may take longer than a notice stays.
    await navigate('/');
    tell();
  };
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'profile', label: '个人资料', onClick: () => setDialog('profile') },
            { key: 'password', label: '修改密码', onClick: () => setDialog('password') },
            { type: 'divider' },
            { key: 'logout', label: '退出登录', onClick: leave },
          ],
        }}
      >
        <Button type="text" className="admin-account">
          <Avatar src={user?.avatar} size={28} />
          {user?.username}
          <DownOutlined aria-hidden />
        </Button>
      </Dropdown>
      {user && <UserInfoDialog user={user} open={dialog === 'profile'} onClose={close} />}
      {user && <PasswordDialog userId={user.id} open={dialog === 'password'} onClose={close} />}
    </>
  );
}
