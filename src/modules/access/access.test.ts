import { expect, test } from 'vitest';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { newMember, newRole } from './access.fixture.ts';
import { allowedPages, groupPermissions } from './permission-map.contract.ts';
import { grantRole } from './user-roles.ts';

const { app, as, ctx, pool } = await testApp();
const permissionsOf = async (headers: { authorization?: string }) =>
  (await app.inject({ url: '/api/v1/user/permission', headers })).json().permission;

test('the root user holds every permission and may open all fifteen pages of the specification, the queue, the search log, the audit log and the outbox', async () => {
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

test('an ordinary user holds none and opens no page', async () => {
  expect(await permissionsOf(await as.user())).toEqual([]);
});

test('a group of permissions opens its pages only with its list permission', async () => {
  const without = await permissionsOf(await as.userWith(['CategoryAPI/CreateCategory']));
  expect(allowedPages(without)).toEqual([]);
  const holding = await permissionsOf(await as.userWith(['CategoryAPI/ListCategory']));
  expect(allowedPages(holding)).toEqual(['/admin/document', '/admin/document/category']);
});

test('the upload group has id 0 and opens nothing', async () => {
  const permissions = await permissionsOf(await as.root());
  const upload = groupPermissions(permissions).find(({ service }) => service === 'upload');
  expect(upload).toMatchObject({ id: 0, label: '上传管理', pages: [] });
  expect(upload?.permissions.length).toBe(5);
});

test('the seeded roles are there, the reviewer with the permissions of content', async () => {
  const { rows } = await pool.query(`
    select r.title, r.is_default, count(p.id)::int as permissions,
           coalesce(bool_and(p.path ~ 'DocumentAPI|RecycleAPI|CommentAPI|ReportAPI'), false) as content_only
    from roles r left join role_permissions rp on rp.role_id = r.id
    left join permissions p on p.id = rp.permission_id where r.title not like 'role-%' group by r.id order by r.id`);
  const { rows: all } = await pool.query('select count(*)::int as count from permissions');
  expect(rows.map(({ title, is_default }) => [title, is_default])).toEqual([
    ['超级管理员', false],
    ['内容审核员', false],
    ['普通用户', true],
  ]);
  expect(rows[0].permissions).toBe(all[0].count);
  expect(rows[1].content_only).toBe(true);
  expect(rows[2].permissions).toBe(0);
});

test('without the permission the refusal names it', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/category',
    headers: await as.user(),
    payload: { title: '新分类' },
  });
  expect([answer.statusCode, answer.json().message]).toEqual([
    403,
    '您没有权限访问【新增文档分类】',
  ]);
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
