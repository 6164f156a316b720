import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import type { Role } from './role.contract.ts';
import { newMember, newRole, newStaff, permissionIds, roleIdOf } from './role.fixture.ts';
import { seedPermissions } from './seed-roles.ts';

const { app, ctx, as, pool } = await testApp();
type Headers = { authorization?: string };
let root: Headers = {};
beforeEach(async () => {
  root = await as.root();
});

const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = root) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const listRoles = async (query = '', headers = root): Promise<Role[]> =>
  (await request('GET', `/group/list${query}`, undefined, headers)).json().group;
const readRole = async (id: number): Promise<Role> => (await request('GET', `/group?id=${id}`)).json();
const grant = (group_id: number, permission_id: number[], headers = root) =>
  request('PUT', '/group/permission', { group_id, permission_id }, headers);
const readPermissionIds = async (id: number): Promise<number[]> =>
  (await request('GET', `/group/permission?id=${id}`)).json().permission_id;
const statusAndMessage = (answer: { statusCode: number; json(): { message: string } }) => [
  answer.statusCode,
  answer.json().message,
];

describe('the list of roles', () => {
  test('contains all roles by descending sort and names the default role', async () => {
    const rows = await listRoles('', as.visitor);
    expect(rows.map(({ title, is_default }) => [title, is_default])).toEqual([
      ['超级管理员', false],
      ['内容审核员', false],
      ['普通用户', true],
    ]);
    expect(rows[0]).not.toHaveProperty('is_super');
  });

  test('can be searched with the permission only, and is complete for other callers', async () => {
    expect((await listRoles('?wd=审核')).map(({ title }) => title)).toEqual(['内容审核员']);
    expect(await listRoles('?wd=审核', as.visitor)).toHaveLength(3);
  });

  test('can be paged and sorted, but only by allowed columns', async () => {
    expect((await listRoles('?page=2&size=1&order=id%20asc')).map(({ id }) => id)).toEqual([2]);
    expect((await request('GET', '/group/list?order=is_super')).statusCode).toBe(400);
  });
});

describe('a role', () => {
  const flags = {
    color: '#23694a',
    description: '外聘的编辑',
    sort: 7,
    is_display: true,
    enable_upload: true,
    enable_document_review: true,
    enable_comment: false,
    enable_comment_approval: true,
    enable_download: false,
  };

  test('is created with all flags that were sent', async () => {
    const answer = await request('POST', '/group', { title: '编辑', ...flags });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      title: '编辑',
      is_default: false,
      user_count: 0,
      ...flags,
    });
    expect(await readRole(answer.json().id)).toEqual(answer.json());
  });

  test('keeps fields that an update does not contain', async () => {
    const { id } = (await request('POST', '/group', { title: '译者', ...flags })).json();
    expect((await request('PUT', '/group', { id, sort: 8 })).json()).toEqual({});
    expect(await readRole(id)).toMatchObject({ title: '译者', ...flags, sort: 8 });
  });

  test('can be sent back unchanged, and its user count is not written', async () => {
    const role = await readRole(await roleIdOf(ctx, '内容审核员'));
    expect((await request('PUT', '/group', { ...role, user_count: 99 })).statusCode).toBe(200);
    expect((await readRole(role.id)).user_count).toBe(0);
  });

  test('requires a unique name that is not empty', async () => {
    const { id } = (await request('POST', '/group', { title: '校对' })).json();
    expect(statusAndMessage(await request('POST', '/group', { title: '校对' }))).toEqual([409, '角色名称已存在']);
    expect(statusAndMessage(await request('PUT', '/group', { id, title: '普通用户' }))).toEqual([
      409,
      '角色名称已存在',
    ]);
    expect(statusAndMessage(await request('POST', '/group', { title: '  ' }))).toEqual([400, '请输入名称']);
  });

  test('that does not exist is answered with 404', async () => {
    for (const answer of [
      await request('GET', '/group?id=9999'),
      await request('PUT', '/group', { id: 9999, title: '没有' }),
      await request('GET', '/group/permission?id=9999'),
      await grant(9999, []),
    ])
      expect(statusAndMessage(answer)).toEqual([404, '角色不存在']);
  });

  test.each(['is_super', 'user_id', 'permission_id', 'created_by'])('rejects the field %s with 400', async (key) => {
    expect((await request('POST', '/group', { title: '黑客', [key]: true })).statusCode).toBe(400);
    expect((await request('PUT', '/group', { id: 2, [key]: true })).statusCode).toBe(400);
  });
});

describe('the default role', () => {
  test('is replaced when another role becomes the default, and cannot be removed', async () => {
    const { id } = (await request('POST', '/group', { title: '新用户', is_default: true })).json();
    const defaults = async () => (await listRoles()).filter(({ is_default }) => is_default).map(({ title }) => title);
    expect(await defaults()).toEqual(['新用户']);
    const defaultRoleId = await roleIdOf(ctx, '普通用户');
    await request('PUT', '/group', { id: defaultRoleId, is_default: true });
    expect(await defaults()).toEqual(['普通用户']);
    expect(statusAndMessage(await request('PUT', '/group', { id: defaultRoleId, is_default: false }))).toEqual([
      400,
      '至少要有一个默认角色',
    ]);
    expect(await defaults()).toEqual(['普通用户']);
    expect((await request('DELETE', `/group?id=${id}`)).statusCode).toBe(200);
  });

  test('cannot be the super administrator role', async () => {
    const answer = await request('PUT', '/group', {
      id: await roleIdOf(ctx, '超级管理员'),
      is_default: true,
    });
    expect(statusAndMessage(answer)).toEqual([409, '超级管理员不能作为默认角色']);
  });

  test('cannot be a role with permissions that the caller lacks', async () => {
    const staff = await newStaff(ctx, ['GroupAPI/UpdateGroup']);
    const id = await newRole(ctx, ['ConfigAPI/UpdateConfig']);
    const answer = await request('PUT', '/group', { id, is_default: true }, staff.headers);
    expect(statusAndMessage(answer)).toEqual([403, '不能授予您自己没有的权限']);
    expect((await readRole(id)).is_default).toBe(false);
  });
});

describe('deleting roles', () => {
  test('rejects a list that contains the default role or a role with users, and deletes none', async () => {
    const unusedRole = await newRole(ctx, ['CategoryAPI/ListCategory']);
    const roleWithUser = await newRole(ctx);
    await newMember(ctx, [roleWithUser]);
    for (const undeletableRole of [roleWithUser, await roleIdOf(ctx, '普通用户'), await roleIdOf(ctx, '超级管理员')]) {
      expect(statusAndMessage(await request('DELETE', `/group?id=${unusedRole}&id=${undeletableRole}`))).toEqual([
        409,
        '默认角色和还有用户的角色不能删除',
      ]);
      expect((await readRole(unusedRole)).id).toBe(unusedRole);
      expect(await readPermissionIds(unusedRole)).toHaveLength(1);
    }
    expect((await request('DELETE', `/group?id=${unusedRole}`)).statusCode).toBe(200);
    expect((await request('GET', `/group?id=${unusedRole}`)).statusCode).toBe(404);
  });
});

describe('granting permissions', () => {
  test('replaces all permissions of the role and ignores duplicates and ids of groups', async () => {
    const id = await newRole(ctx, ['BannerAPI/ListBanner', 'BannerAPI/GetBanner']);
    const newIds = await permissionIds(ctx, ['BannerAPI/GetBanner', 'ReportAPI/ListReport']);
    expect((await grant(id, [...newIds, ...newIds, 0, -3])).json()).toEqual({});
    expect(await readPermissionIds(id)).toEqual(newIds);
    await grant(id, []);
    expect(await readPermissionIds(id)).toEqual([]);
  });

  test('rejects an unknown permission with 400 and changes nothing', async () => {
    const id = await newRole(ctx, ['BannerAPI/ListBanner']);
    expect(statusAndMessage(await grant(id, [1, 999_999]))).toEqual([400, '授权中有不存在的权限']);
    expect(await readPermissionIds(id)).toEqual(await permissionIds(ctx, ['BannerAPI/ListBanner']));
  });

  test('takes effect on the next request of every user with the role', async () => {
    const id = await newRole(ctx);
    const member = await newMember(ctx, [id]);
    const status = async () => (await request('GET', '/audit/list', undefined, member.headers)).statusCode;
    expect(await status()).toBe(403);
    await grant(id, await permissionIds(ctx, ['AuditAPI/ListAudit']));
    expect(await status()).toBe(200);
    await grant(id, []);
    expect(await status()).toBe(403);
  });

  test('rejects adding or removing a permission that the caller does not hold', async () => {
    const staffPermissions = ['GroupAPI/UpdateGroupPermission', 'BannerAPI/ListBanner'];
    const staff = await newStaff(ctx, staffPermissions);
    const [banner, config] = [
      await permissionIds(ctx, ['BannerAPI/ListBanner']),
      await permissionIds(ctx, ['ConfigAPI/UpdateConfig']),
    ];
    const id = await newRole(ctx);
    expect((await grant(id, banner, staff.headers)).statusCode).toBe(200);
    const refusedGrant = await grant(id, [...banner, ...config], staff.headers);
    expect(statusAndMessage(refusedGrant)).toEqual([403, '不能授予您自己没有的权限']);
    expect(await readPermissionIds(id)).toEqual(banner);
    // A permission that others granted may be sent along, but not removed.
    await grant(id, [...banner, ...config]);
    expect((await grant(id, config, staff.headers)).statusCode).toBe(200);
    expect((await grant(id, [], staff.headers)).statusCode).toBe(403);
    expect(await readPermissionIds(id)).toEqual(config);
  });

  test('the super administrator role always has all permissions, also new ones after an upgrade', async () => {
    const id = await roleIdOf(ctx, '超级管理员');
    const allPermissionIds = await readPermissionIds(id);
    expect(statusAndMessage(await grant(id, allPermissionIds.slice(1)))).toEqual([409, '超级管理员始终拥有全部权限']);
    await pool.query(`update roles set title = '站长' where id = $1`, [id]);
    await pool.query(`insert into permissions (method, path, title) values ('GRPC', '/api.v1.NewAPI/ListNew', '新的')`);
    await seedPermissions(ctx);
    await seedPermissions(ctx);
    expect((await readPermissionIds(id)).length).toBe(allPermissionIds.length + 1);
    await pool.query(`delete from permissions where path = '/api.v1.NewAPI/ListNew'`);
    await pool.query(`update roles set title = '超级管理员' where id = $1`, [id]);
  });
});

describe('permissions', () => {
  type Row = { id: number; path: string; method: string; title: string };
  const listPermissions = async (query: string): Promise<Row[]> =>
    (await request('GET', `/permission/list${query}`)).json().permission;

  test('are listed completely by path, and filtered by name, path and method', async () => {
    const allPermissions = await listPermissions('');
    const { rows } = await pool.query('select path from permissions order by path');
    expect(allPermissions.map(({ path }) => path)).toEqual(rows.map(({ path }) => path));
    expect((await listPermissions('?wd=回收站')).every(({ path }) => path.includes('RecycleAPI'))).toBe(true);
    expect((await listPermissions('?path=UserAPI')).map(({ path }) => path)).toContain('/api.v1.UserAPI/BanUser');
    expect(await listPermissions('?method=post')).toHaveLength(5);
    expect(await listPermissions('?method=grpc&method=POST&method=get')).toHaveLength(allPermissions.length);
  });

  test('can be changed in name and description only, and refusals then contain the new name', async () => {
    const [id] = await permissionIds(ctx, ['MailAPI/ListMail']);
    const before = (await request('GET', `/permission?id=${id}`)).json();
    const change = { ...before, title: '查看寄出的邮件', description: '含正文', path: '/other' };
    expect((await request('PUT', '/permission', change)).statusCode).toBe(200);
    expect((await request('GET', `/permission?id=${id}`)).json()).toMatchObject({
      path: '/api.v1.MailAPI/ListMail',
      title: '查看寄出的邮件',
      description: '含正文',
    });
    const refusal = await request('GET', '/mail/list', undefined, await as.user());
    expect(statusAndMessage(refusal)).toEqual([403, '您没有权限访问【查看寄出的邮件】']);
    expect(statusAndMessage(await request('PUT', '/permission', { id, title: '' }))).toEqual([400, '请输入权限名称']);
    expect(statusAndMessage(await request('PUT', '/permission', { id: 9999, title: '无' }))).toEqual([
      404,
      '权限不存在',
    ]);
  });
});
