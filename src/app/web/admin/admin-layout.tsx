import { DownOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button, Drawer, Dropdown, Layout } from 'antd';
import { useEffect, useState } from 'react';
import { Link, Outlet, useLocation, useNavigate } from 'react-router';
import { ChangePasswordDialog } from '#modules/account/web/change-password-dialog.tsx';
import { logout, useBackOfficeAccess, useSession } from '#modules/account/web/session-store.ts';
import { DefaultLogo } from '#modules/settings/web/site-logo.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { toast } from '#platform/web/toast.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { UserInfoDialog } from '../public/user-info-dialog.tsx';
import { AdminMenu, adminPageTitle } from './admin-menu.tsx';
import { withoutTrailingSlash } from './admin-paths.ts';

const MENU_WIDTH_PX = 240;
const COLLAPSE_BELOW_PX = 1000;
const isWindowNarrow = () => window.innerWidth < COLLAPSE_BELOW_PX;

/** Collapses the side menu when the window becomes narrower than 1000 px, and expands it when it becomes wider. */
function useMenuCollapse() {
  const [isNarrow, setNarrow] = useState(isWindowNarrow);
  const [isCollapsed, setCollapsed] = useState(isWindowNarrow);
  useEffect(() => {
    const updateWidth = () => setNarrow(isWindowNarrow());
    window.addEventListener('resize', updateWidth);
    return () => window.removeEventListener('resize', updateWidth);
  }, []);
  useEffect(() => setCollapsed(isNarrow), [isNarrow]);
  return { isNarrow, isCollapsed, setCollapsed };
}

export function AdminLayout() {
  const path = withoutTrailingSlash(useLocation().pathname);
  const { isNarrow, isCollapsed, setCollapsed } = useMenuCollapse();
  const { pages } = useBackOfficeAccess();
  const { sitename } = useSettings().system;
  const title = adminPageTitle(path);
  useEffect(() => {
    document.title = `${title} - ${sitename}`;
  }, [title, sitename]);

  const menu = <AdminMenu path={path} pages={pages} onNavigate={() => isNarrow && setCollapsed(true)} />;
  return (
    <Layout style={{ minHeight: '100dvh' }}>
      {isNarrow ? (
        <Drawer
          placement="left"
          open={!isCollapsed}
          onClose={() => setCollapsed(true)}
          size={MENU_WIDTH_PX}
          title={<SiteLink />}
          styles={{ body: { padding: 0 } }}
        >
          {menu}
        </Drawer>
      ) : (
        <Layout.Sider
          width={MENU_WIDTH_PX}
          collapsedWidth={0}
          collapsed={isCollapsed}
          trigger={null}
          className="admin-sider"
        >
          {/* A collapsed menu must not be reachable by keyboard. */}
          {isCollapsed ? null : (
            <>
              <SiteLink />
              <nav aria-label="后台菜单">{menu}</nav>
            </>
          )}
        </Layout.Sider>
      )}
      <Layout>
        <Layout.Header className="admin-header">
          <Button
            type="text"
            aria-label={isCollapsed ? '展开菜单' : '收起菜单'}
            aria-expanded={!isCollapsed}
            icon={isCollapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            onClick={() => setCollapsed(!isCollapsed)}
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

function SiteLink() {
  const { sitename, logo } = useSettings().system;
  return (
    <Link to="/" className="admin-brand" aria-label={`${sitename}，返回首页`}>
      {logo ? (
        <img src={logo} alt="" className="h-8 w-auto max-w-40 object-contain" />
      ) : (
        <>
          <DefaultLogo className="size-7" />
          <span>{sitename}</span>
        </>
      )}
    </Link>
  );
}

function AccountMenu() {
  const user = useSession(({ user }) => user);
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'profile' | 'password' | null>(null);
  const close = () => setDialog(null);
  const logoutAndGoHome = async () => {
    const showResult = await logout().then(
      () => () => toast.success('退出成功'),
      (error: unknown) => () => toast.failure(error, '已在本机退出，但服务器没有响应'),
    );
    // Shown after the navigation, which may take longer than a notice is visible.
    await navigate('/');
    showResult();
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
            { key: 'logout', label: '退出登录', onClick: logoutAndGoHome },
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
      {user && <ChangePasswordDialog userId={user.id} open={dialog === 'password'} onClose={close} />}
    </>
  );
}
