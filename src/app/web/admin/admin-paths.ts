/** All paths of the back-office, in the order of the menu. */
const adminPaths = [
  '/admin',
  '/admin/index',
  '/admin/dashboard',
  '/admin/document',
  '/admin/document/category',
  '/admin/document/list',
  '/admin/document/recycle',
  '/admin/document/queue',
  '/admin/document/searchrecord',
  '/admin/user',
  '/admin/user/list',
  '/admin/user/group',
  '/admin/user/permission',
  '/admin/banner',
  '/admin/article',
  '/admin/friendlink',
  '/admin/comment',
  '/admin/report',
  '/admin/attachment',
  '/admin/config',
  '/admin/audit',
  '/admin/mail',
];

export const withoutTrailingSlash = (path: string): string => path.replace(/\/+$/, '') || '/';
export const isAdminPath = (path: string): boolean => adminPaths.includes(withoutTrailingSlash(path));
