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

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = root) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });
const listed = async (query = '', headers = root): Promise<Role[]> =>
  (await ask('GET', `/group/list${query}`, undefined, headers)).json().group;
const roleNow = async (id: number): Promise<Role> => (await ask('GET', `/group?id=${id}`)).json();
const grant = (group_id: number, permission_id: number[], headers = root) =>
  ask('PUT', '/group/permission', { group_id, permission_id }, headers);
const granted = async (id: number): Promise<number[]> =>
  (await ask('GET', `/group/permission?id=${id}`)).json().permission_id;
const saying = (answer: { statusCode: number; json(): { message: string } }) => [
  answer.statusCode,
  answer.json().message,
];

describe('the list of roles', () => {
  test('is whole, the bigger sort first, and says who is the default', async () => {
    const rows = await listed('', as.visitor);
    expect(rows.map(({ title, is_default }) => [title, is_default])).toEqual([
      ['超级管理员', false],
      ['内容审核员', false],
      ['普通用户', true],
    ]);
    expect(rows[0]).not.toHaveProperty('is_super');
  });

  test('is searched by those who may, and given whole to others', async () => {
    expect((await listed('?wd=审核')).map(({ title }) => title)).toEqual(['内容审核员']);
    expect(await listed('?wd=审核', as.visitor)).toHaveLength(3);
  });

  test('can be paged and ordered, but not by any column', async () => {
    expect((await listed('?page=2&size=1&order=id%20asc')).map(({ id }) => id)).toEqual([2]);
    expect((await ask('GET', '/group/list?order=is_super')).statusCode).toBe(400);
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

  test('is created with all its flags', async () => {
    const answer = await ask('POST', '/group', { title: '编辑', ...flags });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      title: '编辑',
      is_default: false,
      user_count: 0,
      ...flags,
    });
    expect(await roleNow(answer.json().id)).toEqual(answer.json());
  });

  test('keeps what a change does not name', async () => {
    const { id } = (await ask('POST', '/group', { title: '译者', ...flags })).json();
    expect((await ask('PUT', '/group', { id, sort: 8 })).json()).toEqual({});
    expect(await roleNow(id)).toMatchObject({ title: '译者', ...flags, sort: 8 });
  });

  test('may be sent back as it was read, its counts are not written', async () => {
    const role = await roleNow(await roleIdOf(ctx, '内容审核员'));
    expect((await ask('PUT', '/group', { ...role, user_count: 99 })).statusCode).toBe(200);
    expect((await roleNow(role.id)).user_count).toBe(0);
  });

  test('needs a name of its own', async () => {
    const { id } = (await ask('POST', '/group', { title: '校对' })).json();
    expect(saying(await ask('POST', '/group', { title: '校对' }))).toEqual([409, '角色名称已存在']);
    expect(saying(await ask('PUT', '/group', { id, title: '普通用户' }))).toEqual([409, '角色名称已存在']);
    expect(saying(await ask('POST', '/group', { title: '  ' }))).toEqual([400, '请输入名称']);
  });

  test('that does not exist is not found', async () => {
    for (const answer of [
      await ask('GET', '/group?id=9999'),
      await ask('PUT', '/group', { id: 9999, title: '没有' }),
      await ask('GET', '/group/permission?id=9999'),
      await grant(9999, []),
    ])
      expect(saying(answer)).toEqual([404, '角色不存在']);
  });

  test.each(['is_super', 'user_id', 'permission_id', 'created_by'])(
    'is not given %s by writing it into the form',
    async (key) => {
      expect((await ask('POST', '/group', { title: '黑客', [key]: true })).statusCode).toBe(400);
      expect((await ask('PUT', '/group', { id: 2, [key]: true })).statusCode).toBe(400);
    },
  );
});

describe('the default role', () => {
  test('is one: making another one it takes it from the former', async () => {
    const { id } = (await ask('POST', '/group', { title: '新用户', is_default: true })).json();
    const defaults = async () => (await listed()).filter(({ is_default }) => is_default).map(({ title }) => title);
    expect(await defaults()).toEqual(['新用户']);
    const usual = await roleIdOf(ctx, '普通用户');
    await ask('PUT', '/group', { id: usual, is_default: true });
    expect(await defaults()).toEqual(['普通用户']);
    expect(saying(await ask('PUT', '/group', { id: usual, is_default: false }))).toEqual([400, '至少要有一个默认角色']);
    expect(await defaults()).toEqual(['普通用户']);
    expect((await ask('DELETE', `/group?id=${id}`)).statusCode).toBe(200);
  });

  test('is never the one of the super administrators', async () => {
    const answer = await ask('PUT', '/group', {
      id: await roleIdOf(ctx, '超级管理员'),
      is_default: true,
    });
    expect(saying(answer)).toEqual([409, '超级管理员不能作为默认角色']);
  });

  test('gives newcomers nothing that who chose it does not hold', async () => {
    const staff = await newStaff(ctx, ['GroupAPI/UpdateGroup']);
    const id = await newRole(ctx, ['ConfigAPI/UpdateConfig']);
    const answer = await ask('PUT', '/group', { id, is_default: true }, staff.headers);
    expect(saying(answer)).toEqual([403, '不能授予您自己没有的权限']);
    expect((await roleNow(id)).is_default).toBe(false);
  });
});

describe('deleting roles', () => {
  test('the default one and those with users stay, and then the whole list does', async () => {
    const free = await newRole(ctx, ['CategoryAPI/ListCategory']);
    const taken = await newRole(ctx);
    await newMember(ctx, [taken]);
    for (const kept of [taken, await roleIdOf(ctx, '普通用户'), await roleIdOf(ctx, '超级管理员')]) {
      expect(saying(await ask('DELETE', `/group?id=${free}&id=${kept}`))).toEqual([
        409,
        '默认角色和还有用户的角色不能删除',
      ]);
      expect((await roleNow(free)).id).toBe(free);
      expect(await granted(free)).toHaveLength(1);
    }
    expect((await ask('DELETE', `/group?id=${free}`)).statusCode).toBe(200);
    expect((await ask('GET', `/group?id=${free}`)).statusCode).toBe(404);
  });
});

describe('granting permissions', () => {
  test('replaces all of them; doubles and the ids of groups are dropped', async () => {
    const id = await newRole(ctx, ['BannerAPI/ListBanner', 'BannerAPI/GetBanner']);
    const wanted = await permissionIds(ctx, ['BannerAPI/GetBanner', 'ReportAPI/ListReport']);
    expect((await grant(id, [...wanted, ...wanted, 0, -3])).json()).toEqual({});
    expect(await granted(id)).toEqual(wanted);
    await grant(id, []);
    expect(await granted(id)).toEqual([]);
  });

  test('with an unknown permission changes nothing', async () => {
    const id = await newRole(ctx, ['BannerAPI/ListBanner']);
    expect(saying(await grant(id, [1, 999_999]))).toEqual([400, '授权中有不存在的权限']);
    expect(await granted(id)).toEqual(await permissionIds(ctx, ['BannerAPI/ListBanner']));
  });

  test('takes effect on the next request of everybody in the role', async () => {
    const id = await newRole(ctx);
    const member = await newMember(ctx, [id]);
    const status = async () => (await ask('GET', '/audit/list', undefined, member.headers)).statusCode;
    expect(await status()).toBe(403);
    await grant(id, await permissionIds(ctx, ['AuditAPI/ListAudit']));
    expect(await status()).toBe(200);
    await grant(id, []);
    expect(await status()).toBe(403);
  });

  test('nobody gives or takes a permission they do not hold', async () => {
    const own = ['GroupAPI/UpdateGroupPermission', 'BannerAPI/ListBanner'];
    const staff = await newStaff(ctx, own);
    const [banner, config] = [
      await permissionIds(ctx, ['BannerAPI/ListBanner']),
      await permissionIds(ctx, ['ConfigAPI/UpdateConfig']),
    ];
    const id = await newRole(ctx);
    expect((await grant(id, banner, staff.headers)).statusCode).toBe(200);
    const more = await grant(id, [...banner, ...config], staff.headers);
    expect(saying(more)).toEqual([403, '不能授予您自己没有的权限']);
    expect(await granted(id)).toEqual(banner);
    // What others gave stays: it may be sent along, but not taken away.
    await grant(id, [...banner, ...config]);
    expect((await grant(id, config, staff.headers)).statusCode).toBe(200);
    expect((await grant(id, [], staff.headers)).statusCode).toBe(403);
    expect(await granted(id)).toEqual(config);
  });

  test('the super administrators keep all of them, also those an upgrade brings', async () => {
    const id = await roleIdOf(ctx, '超级管理员');
    const all = await granted(id);
    expect(saying(await grant(id, all.slice(1)))).toEqual([409, '超级管理员始终拥有全部权限']);
    await pool.query(`update roles set title = '站长' where id = $1`, [id]);
    await pool.query(`insert into permissions (method, path, title) values ('GRPC', '/api.v1.NewAPI/ListNew', '新的')`);
    await seedPermissions(ctx);
    await seedPermissions(ctx);
    expect((await granted(id)).length).toBe(all.length + 1);
    await pool.query(`delete from permissions where path = '/api.v1.NewAPI/ListNew'`);
    await pool.query(`update roles set title = '超级管理员' where id = $1`, [id]);
  });
});

describe('permissions', () => {
  type Row = { id: number; path: string; method: string; title: string };
  const found = async (query: string): Promise<Row[]> =>
    (await ask('GET', `/permission/list${query}`)).json().permission;

  test('are listed whole by their path, and filtered by name, address and method', async () => {
    const all = await found('');
    const { rows } = await pool.query('select path from permissions order by path');
    expect(all.map(({ path }) => path)).toEqual(rows.map(({ path }) => path));
    expect((await found('?wd=回收站')).every(({ path }) => path.includes('RecycleAPI'))).toBe(true);
    expect((await found('?path=UserAPI')).map(({ path }) => path)).toContain('/api.v1.UserAPI/BanUser');
    expect(await found('?method=post')).toHaveLength(5);
    expect(await found('?method=grpc&method=POST&method=get')).toHaveLength(all.length);
  });

  test('only their name and description can be changed, and a refusal then has the new name', async () => {
    const [id] = await permissionIds(ctx, ['MailAPI/ListMail']);
    const before = (await ask('GET', `/permission?id=${id}`)).json();
    const change = { ...before, title: '查看寄出的邮件', description: '含正文', path: '/other' };
    expect((await ask('PUT', '/permission', change)).statusCode).toBe(200);
    expect((await ask('GET', `/permission?id=${id}`)).json()).toMatchObject({
      path: '/api.v1.MailAPI/ListMail',
      title: '查看寄出的邮件',
      description: '含正文',
    });
    const refused = await ask('GET', '/mail/list', undefined, await as.user());
    expect(saying(refused)).toEqual([403, '您没有权限访问【查看寄出的邮件】']);
    expect(saying(await ask('PUT', '/permission', { id, title: '' }))).toEqual([400, '请输入权限名称']);
    expect(saying(await ask('PUT', '/permission', { id: 9999, title: '无' }))).toEqual([404, '权限不存在']);
  });
});
