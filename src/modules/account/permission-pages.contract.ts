import type { Permission } from './permission.contract.ts';

/** The name by which endpoints declare a permission: the last two parts of its path. */
export const permissionName = (path: string): string => path.replace(/^\/api\.v1\.|^\/api\/v1\//, '');

/** Services in menu order. The permission `key` opens `pages`; the upload group (id 0) opens none. */
const permissionGroups = [
  {
    service: 'DocumentAPI',
    label: '文档管理',
    key: 'ListDocument',
    pages: ['/admin/document', '/admin/document/list', '/admin/document/queue'],
  },
  {
    service: 'RecycleAPI',
    label: '回收站管理',
    key: 'ListRecycleDocument',
    pages: ['/admin/document', '/admin/document/recycle'],
  },
  {
    service: 'CategoryAPI',
    label: '分类管理',
    key: 'ListCategory',
    pages: ['/admin/document', '/admin/document/category'],
  },
  {
    service: 'SearchRecordAPI',
    label: '搜索管理',
    key: 'ListSearchRecord',
    pages: ['/admin/document', '/admin/document/searchrecord'],
  },
  {
    service: 'UserAPI',
    label: '用户管理',
    key: 'ListUser',
    pages: ['/admin/user', '/admin/user/list'],
  },
  {
    service: 'FriendlinkAPI',
    label: '友链管理',
    key: 'ListFriendlink',
    pages: ['/admin/friendlink'],
  },
  {
    service: 'AttachmentAPI',
    label: '附件管理',
    key: 'ListAttachment',
    pages: ['/admin/attachment'],
  },
  { service: 'ReportAPI', label: '举报管理', key: 'ListReport', pages: ['/admin/report'] },
  { service: 'BannerAPI', label: '横幅管理', key: 'ListBanner', pages: ['/admin/banner'] },
  {
    service: 'GroupAPI',
    label: '角色管理',
    key: 'ListGroup',
    pages: ['/admin/user', '/admin/user/group'],
  },
  {
    service: 'PermissionAPI',
    label: '权限管理',
    key: 'ListPermission',
    pages: ['/admin/user', '/admin/user/permission'],
  },
  { service: 'ConfigAPI', label: '系统设置', key: 'ListConfig', pages: ['/admin/config'] },
  { service: 'ArticleAPI', label: '单页管理', key: 'ListArticle', pages: ['/admin/article'] },
  { service: 'CommentAPI', label: '评论管理', key: 'ListComment', pages: ['/admin/comment'] },
  { service: 'AuditAPI', label: '操作记录', key: 'ListAudit', pages: ['/admin/audit'] },
  { service: 'MailAPI', label: '发件箱', key: 'ListMail', pages: ['/admin/mail'] },
  { service: 'upload', label: '上传管理', key: null, pages: [] },
] as const;

export type PermissionGroup = {
  /** Id of the key permission when the user holds it, else 0. */
  id: number;
  service: string;
  label: string;
  pages: readonly string[];
  permissions: Pick<Permission, 'id' | 'method' | 'path' | 'title'>[];
};

/** `/api.v1.UserAPI/ListUser` → UserAPI, `/api/v1/upload/banner` → upload. */
const serviceOfPermissionPath = (path: string) =>
  path.startsWith('/api.v1.') ? (path.slice('/api.v1.'.length).split('/')[0] ?? '') : (path.split('/')[3] ?? '');

export function groupPermissions(permissions: PermissionGroup['permissions']): PermissionGroup[] {
  return permissionGroups.map(({ service, label, key, pages }) => {
    const members = permissions.filter(({ path }) => serviceOfPermissionPath(path) === service);
    const keyPermission = members.find(({ path }) => key !== null && path.endsWith(`/${key}`));
    return { id: keyPermission?.id ?? 0, service, label, pages, permissions: members };
  });
}

/** Pages of the back-office that the permissions open, besides ALWAYS_ALLOWED_PAGES. */
export function allowedPages(permissions: PermissionGroup['permissions']): string[] {
  const openGroups = groupPermissions(permissions).filter(({ id }) => id > 0);
  return [...new Set(openGroups.flatMap(({ pages }) => pages))];
}

/** Open to every user with at least one allowed page. */
export const ALWAYS_ALLOWED_PAGES = ['/admin', '/admin/index', '/admin/dashboard'];
