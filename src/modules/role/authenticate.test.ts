import { expect, test } from 'vitest';
import { allowedPages, groupPermissions } from '#modules/account/permission-pages.contract.ts';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { newMember, newRole } from './role.fixture.ts';
import { grantRole } from './user-roles.ts';

const { app, as, ctx, pool } = await testApp();
const permissionsOf = async (headers: { authorization?: string }) =>
  (await app.inject({ url: '/api/v1/user/permission', headers })).json().permission;

test('the root user holds every permission and opens all pages of the specification, the queue, the search log, the audit log and the outbox', async () => {
  const permissions = await permissionsOf(await as.root());
  expect(allowedPages(permissions).sort()).toEqual([
    '/admin/article',
    '/admin/attachment',
    '/admin/audit',
    '/admin/banner',
    '/admin/comment',
    '/admin/config',
    '/admin/document',
    '/admin/document/category',
    '/admin/document/list',
    '/admin/document/queue',
    '/admin/document/recycle',
    '/admin/document/searchrecord',
    '/admin/friendlink',
    '/admin/mail',
    '/admin/report',
    '/admin/user',
    '/admin/user/group',
    '/admin/user/list',
    '/admin/user/permission',
  ]);
});

test('a user with the default role holds no permission and opens no page of the back-office', async () => {
  expect(await permissionsOf(await as.user())).toEqual([]);
});

test('a permission group opens its pages only to holders of its list permission', async () => {
  const withoutListPermission = await permissionsOf(await as.userWith(['CategoryAPI/CreateCategory']));
  expect(allowedPages(withoutListPermission)).toEqual([]);
  const withListPermission = await permissionsOf(await as.userWith(['CategoryAPI/ListCategory']));
  expect(allowedPages(withListPermission)).toEqual(['/admin/document', '/admin/document/category']);
});

test('the permission group upload has id 0 and opens no page', async () => {
  const permissions = await permissionsOf(await as.root());
  const upload = groupPermissions(permissions).find(({ service }) => service === 'upload');
  expect(upload).toMatchObject({ id: 0, label: '上传管理', pages: [] });
  expect(upload?.permissions.length).toBe(5);
});

test('GET /user/permission returns id, method, path and title of each permission', async () => {
  const permissions = await permissionsOf(await as.root());
  for (const permission of permissions)
    expect(permission).toMatchObject({
      id: expect.any(Number),
      method: expect.stringMatching(/^(GRPC|POST)$/),
      path: expect.stringMatching(/^\/api[./]v1[./]\w+\/\w+$/),
      title: expect.stringMatching(/./),
    });
  expect(permissions.every(({ id }: { id: number }) => id > 0)).toBe(true);
});

test.each([
  ['DocumentAPI', '文档管理', 'ListDocument', ['/admin/document', '/admin/document/list']],
  ['RecycleAPI', '回收站管理', 'ListRecycleDocument', ['/admin/document', '/admin/document/recycle']],
  ['CategoryAPI', '分类管理', 'ListCategory', ['/admin/document', '/admin/document/category']],
  ['UserAPI', '用户管理', 'ListUser', ['/admin/user', '/admin/user/list']],
  ['FriendlinkAPI', '友链管理', 'ListFriendlink', ['/admin/friendlink']],
  ['AttachmentAPI', '附件管理', 'ListAttachment', ['/admin/attachment']],
  ['ReportAPI', '举报管理', 'ListReport', ['/admin/report']],
  ['BannerAPI', '横幅管理', 'ListBanner', ['/admin/banner']],
  ['GroupAPI', '角色管理', 'ListGroup', ['/admin/user', '/admin/user/group']],
  ['PermissionAPI', '权限管理', 'ListPermission', ['/admin/user', '/admin/user/permission']],
  ['ConfigAPI', '系统设置', 'ListConfig', ['/admin/config']],
  ['ArticleAPI', '单页管理', 'ListArticle', ['/admin/article']],
  ['CommentAPI', '评论管理', 'ListComment', ['/admin/comment']],
])('the permission group %s is labelled %s, and %s opens %j', async (service, label, list, pages) => {
  const permissions = await permissionsOf(await as.userWith([`${service}/${list}`]));
  const group = groupPermissions(permissions).find((each) => each.service === service);
  expect(group).toMatchObject({ id: permissions[0].id, label });
  expect(allowedPages(permissions)).toEqual(expect.arrayContaining(pages));
  const specifiedPages = allowedPages(permissions).filter((page) => page !== '/admin/document/queue');
  expect(specifiedPages).toEqual(pages);
});

/** Each service of moredoc 1.1.0 with its methods. */
const moredocPermissions = {
  UserAPI: 'ListUser GetUser AddUser SetUser DeleteUser UpdateUserProfile',
  GroupAPI: 'CreateGroup DeleteGroup UpdateGroup ListGroup GetGroupPermission UpdateGroupPermission',
  PermissionAPI: 'ListPermission GetPermission UpdatePermission',
  FriendlinkAPI: 'ListFriendlink GetFriendlink CreateFriendlink UpdateFriendlink DeleteFriendlink',
  AttachmentAPI: 'ListAttachment GetAttachment UpdateAttachment DeleteAttachment',
  BannerAPI: 'ListBanner GetBanner CreateBanner UpdateBanner DeleteBanner',
  ConfigAPI: 'ListConfig UpdateConfig GetStats UpdateSitemap GetEnvs',
  CategoryAPI: 'ListCategory GetCategory CreateCategory UpdateCategory DeleteCategory',
  DocumentAPI: 'ListDocument DeleteDocument GetDocument UpdateDocument SetDocumentRecommend',
  RecycleAPI: 'ListRecycleDocument RecoverRecycleDocument ClearRecycleDocument DeleteRecycleDocument',
  ArticleAPI: 'ListArticle UpdateArticle DeleteArticle CreateArticle',
  CommentAPI: 'ListComment GetComment CheckComment DeleteComment',
  ReportAPI: 'ListReport UpdateReport DeleteReport',
};

test.each(Object.entries(moredocPermissions))(
  'the permissions of moredoc for %s are %s, and each exists here',
  async (service, methods) => {
    const permissions: { method: string; path: string }[] = await permissionsOf(await as.root());
    for (const name of methods.split(' '))
      expect(permissions).toContainEqual(
        expect.objectContaining({ method: 'GRPC', path: `/api.v1.${service}/${name}` }),
      );
  },
);

test.each(['banner', 'article', 'category', 'config', 'avatar'])(
  'the permission of moredoc to upload for %s exists here',
  async (name) => {
    expect(await permissionsOf(await as.root())).toContainEqual(
      expect.objectContaining({ method: 'POST', path: `/api/v1/upload/${name}` }),
    );
  },
);

test('a list permission whose id is not positive opens no page', () => {
  const path = '/api.v1.CategoryAPI/ListCategory';
  const permission = { id: 0, method: 'GRPC', path, title: '查询文档分类列表' };
  expect(allowedPages([permission])).toEqual([]);
  expect(allowedPages([{ ...permission, id: 7 }])).toEqual(['/admin/document', '/admin/document/category']);
});

test('the role 普通用户 may upload with review off, may comment and may download', async () => {
  const { rows } = await pool.query(`
    select is_default, enable_upload, enable_document_review, enable_comment,
           enable_comment_approval, enable_download from roles where title = '普通用户'`);
  expect(rows).toEqual([
    {
      is_default: true,
      enable_upload: true,
      enable_document_review: false,
      enable_comment: true,
      enable_comment_approval: false,
      enable_download: true,
    },
  ]);
});

test('the site is seeded with three roles, and the reviewer holds only permissions for documents, comments and reports', async () => {
  const { rows } = await pool.query(`
    select r.title, r.is_default, count(p.id)::int as permissions,
           coalesce(bool_and(p.path ~ 'DocumentAPI|RecycleAPI|CommentAPI|ReportAPI'), false) as content_only
    from roles r left join role_permissions rp on rp.role_id = r.id
    left join permissions p on p.id = rp.permission_id where r.title not like 'role-%' group by r.id order by r.id`);
  const { rows: countRows } = await pool.query('select count(*)::int as count from permissions');
  expect(rows.map(({ title, is_default }) => [title, is_default])).toEqual([
    ['超级管理员', false],
    ['内容审核员', false],
    ['普通用户', true],
  ]);
  expect(rows[0].permissions).toBe(countRows[0].count);
  expect(rows[1].content_only).toBe(true);
  expect(rows[2].permissions).toBe(0);
});

test('the message of a refusal names the missing permission', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/category',
    headers: await as.user(),
    payload: { title: '新分类' },
  });
  expect([answer.statusCode, answer.json().message]).toEqual([403, '您没有权限访问【新增文档分类】']);
});

test('the permissions of an open session follow the roles of its user when they are granted and revoked', async () => {
  const { id, headers } = await newMember(ctx);
  const state = async () => ({
    pages: allowedPages(await permissionsOf(headers)),
    status: (await app.inject({ url: '/api/v1/audit/list', headers })).statusCode,
  });
  expect(await state()).toEqual({ pages: [], status: 403 });
  const roleId = await newRole(ctx, ['AuditAPI/ListAudit']);
  await inTransaction(ctx, (ctx) => grantRole(ctx, id, roleId));
  expect(await state()).toEqual({ pages: ['/admin/audit'], status: 200 });
  await pool.query('delete from user_roles where user_id = $1', [id]);
  expect(await state()).toEqual({ pages: [], status: 403 });
});
