import {
  AppstoreOutlined,
  AuditOutlined,
  CommentOutlined,
  DashboardOutlined,
  FileTextOutlined,
  FlagOutlined,
  LinkOutlined,
  MailOutlined,
  PaperClipOutlined,
  PictureOutlined,
  ReadOutlined,
  SettingOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import { Menu } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';

type Entry = { path: string; label: string; icon?: ReactNode; children?: Entry[] };

/** In the order of the specification. A group is shown if its own page is allowed. */
const menu: Entry[] = [
  { path: '/admin/dashboard', label: '面板', icon: <DashboardOutlined /> },
  {
    path: '/admin/document',
    label: '文档管理',
    icon: <FileTextOutlined />,
    children: [
      { path: '/admin/document/category', label: '分类管理', icon: <AppstoreOutlined /> },
      { path: '/admin/document/list', label: '文档列表' },
      { path: '/admin/document/recycle', label: '回收站' },
      { path: '/admin/document/queue', label: '转换队列' },
      { path: '/admin/document/searchrecord', label: '搜索记录' },
    ],
  },
  {
    path: '/admin/user',
    label: '用户管理',
    icon: <TeamOutlined />,
    children: [
      { path: '/admin/user/list', label: '用户管理' },
      { path: '/admin/user/group', label: '角色管理' },
      { path: '/admin/user/permission', label: '权限管理' },
    ],
  },
  { path: '/admin/banner', label: '横幅管理', icon: <PictureOutlined /> },
  { path: '/admin/article', label: '单页管理', icon: <ReadOutlined /> },
  { path: '/admin/friendlink', label: '友链管理', icon: <LinkOutlined /> },
  { path: '/admin/comment', label: '评论管理', icon: <CommentOutlined /> },
  { path: '/admin/report', label: '举报管理', icon: <FlagOutlined /> },
  { path: '/admin/attachment', label: '附件管理', icon: <PaperClipOutlined /> },
  { path: '/admin/config', label: '系统设置', icon: <SettingOutlined /> },
  { path: '/admin/audit', label: '操作记录', icon: <AuditOutlined /> },
  { path: '/admin/mail', label: '发件箱', icon: <MailOutlined /> },
];

const allEntries = menu.flatMap((entry) => [entry, ...(entry.children ?? [])]);
export const adminPageTitle = (path: string): string =>
  allEntries.findLast((entry) => entry.path === path)?.label ?? '面板';

const ALWAYS_SHOWN = ['/admin/dashboard'];
const allowedEntries = (entries: Entry[], pages: string[]): Entry[] =>
  entries.filter(({ path }) => ALWAYS_SHOWN.includes(path) || pages.includes(path));

/** The first child page of a group that the user may open, in menu order; /admin if there is none. */
export const firstChildPage = (group: string, pages: string[]): string => {
  const children = menu.find(({ path }) => path === group)?.children ?? [];
  return allowedEntries(children, pages)[0]?.path ?? '/admin';
};

/** Scrolls the selected entry into view, because a low window does not show the whole menu. */
function useScrollToSelected(path: string) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const link = frame.current?.querySelector(`.ant-menu-item-selected a[href="${path}"]`);
    link?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return frame;
}

export function AdminMenu(props: { path: string; pages: string[]; onNavigate: () => void }) {
  const { path, pages, onNavigate } = props;
  const items = allowedEntries(menu, pages).map(({ path, label, icon, children }) => ({
    key: path,
    icon,
    label: children ? label : <Link to={path}>{label}</Link>,
    children:
      children &&
      allowedEntries(children, pages).map((child) => ({
        key: child.path,
        label: <Link to={child.path}>{child.label}</Link>,
      })),
  }));
  const group = menu.find(({ children }) => children?.some((child) => child.path === path));
  const frame = useScrollToSelected(path);
  return (
    <div ref={frame}>
      <Menu
        mode="inline"
        items={items}
        selectedKeys={[path]}
        defaultOpenKeys={group ? [group.path] : ['/admin/document', '/admin/user']}
        onClick={onNavigate}
        style={{ borderInlineEnd: 0 }}
      />
    </div>
  );
}
