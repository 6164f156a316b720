import { describe, expect, test } from 'vitest';
import { createUser } from '#modules/account/account.ts';
import { openSession } from '#modules/account/session.ts';
import type { UserContext } from '#platform/server/context.ts';
import { inTransaction } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import type { Account } from './manage-accounts.contract.ts';
import { newMember, newRole, newStaff, roleIdOf } from './role.fixture.ts';
import { assignDefaultRole, rightsOfUser } from './user-roles.ts';

const { app, ctx, as, pool, clock } = await testApp();
type Headers = { authorization?: string };

const reviewer = await roleIdOf(ctx, '内容审核员');
const defaultRole = await roleIdOf(ctx, '普通用户');
const members: Awaited<ReturnType<typeof newMember>>[] = [];
for (const index of [1, 2, 3]) {
  const member = await newMember(ctx, index === 3 ? [defaultRole, reviewer] : [defaultRole]);
  await pool.query(
    `update users set realname = $2, identity = '110101199003070011', email = $3, mobile = $4, address = '某地',
       signature = $5, doc_count = $6, login_at = $7, last_login_ip = '203.0.113.9', register_ip = '203.0.113.8'
     where id = $1`,
    [
      member.id,
      `真名${index}`,
      `person${index}@example.com`,
      `1390000000${index}`,
      `签名${index}`,
      index * 10,
      `2026-01-0${4 - index}T00:00:00Z`,
    ],
  );
  members.push(member);
}
const ids = members.map(({ id }) => id);
const staff = await newStaff(ctx, ['UserAPI/ListUser']);

const list = async (query: string, headers: Headers = as.visitor) =>
  app.inject({ url: `/api/v1/user/list?${query}`, headers });
const listUsers = async (query: string, headers?: Headers): Promise<Account[]> =>
  (await list(query, headers)).json().user;
const idsOf = (rows: Account[]) => rows.map(({ id }) => id);

describe('the list of users', () => {
  test('contains only public fields for visitors and users without the permission', async () => {
    for (const headers of [as.visitor, members[0]?.headers]) {
      const [row] = await listUsers(`id=${ids[2]}`, headers);
      expect(row).toMatchObject({ id: ids[2], signature: '签名3', doc_count: 30 });
      expect(row).toMatchObject({
        realname: '',
        identity: '',
        email: '',
        mobile: '',
        address: '',
        credit_count: 0,
        login_at: null,
        last_login_ip: '',
        register_ip: '',
        group_id: [],
        status: 0,
        ban_reason: '',
        banned_until: null,
      });
    }
  });

  test('cannot be searched, filtered or sorted by fields that the caller may not see', async () => {
    const totalUsers = (await list('')).json().total;
    for (const query of ['wd=person2', 'wd=真名', `group_id=${reviewer}`, 'status=1'])
      expect((await list(query)).json().total).toBe(totalUsers);
    for (const column of ['login_at', 'credit_count', 'email', 'password_hash'])
      expect((await list(`sort=${column}`)).statusCode).toBe(400);
  });

  test('contains all fields except the password for holders of the permission', async () => {
    const answer = await list(`id=${ids[2]}`, staff.headers);
    expect(answer.body).not.toMatch(/password|argon2/);
    expect(answer.json().user[0]).toMatchObject({
      realname: '真名3',
      identity: '110101199003070011',
      email: 'person3@example.com',
      mobile: '13900000003',
      last_login_ip: '203.0.113.9',
      register_ip: '203.0.113.8',
      login_at: '2026-01-01T00:00:00.000Z',
      group_id: [reviewer, defaultRole],
      status: 0,
    });
  });

  test('can be searched by name, real name, e-mail and mobile with the permission', async () => {
    for (const wd of [members[1]?.username, '真名2', 'person2@', '13900000002'])
      expect(idsOf(await listUsers(`wd=${wd}`, staff.headers))).toEqual([ids[1]]);
    expect(await listUsers('wd=%25', staff.headers)).toEqual([]);
  });

  test('can be filtered by role and status with the permission', async () => {
    expect(idsOf(await listUsers(`group_id=${reviewer}`, staff.headers))).toEqual([ids[2]]);
    const bannedMember = await newMember(ctx, [defaultRole]);
    await pool.query(
      `update users set is_banned = true, ban_reason = '刷屏', banned_until = '2026-03-02T00:00:00Z' where id = $1`,
      [bannedMember.id],
    );
    const [row] = await listUsers('status=1', staff.headers);
    expect(row).toMatchObject({
      id: bannedMember.id,
      status: 1,
      ban_reason: '刷屏',
      banned_until: '2026-03-02T00:00:00.000Z',
    });
    expect(idsOf(await listUsers('status=0&size=100', staff.headers))).not.toContain(bannedMember.id);
    const before = clock.now;
    clock.now = new Date('2026-03-02T00:00:01Z');
    expect(await listUsers('status=1', staff.headers)).toEqual([]);
    expect((await listUsers(`id=${bannedMember.id}`, staff.headers))[0]).toMatchObject({
      status: 0,
      ban_reason: '',
      banned_until: null,
    });
    clock.now = before;
  });

  test('is sorted by the requested column', async () => {
    const query = ids.map((id) => `id=${id}`).join('&');
    expect(idsOf(await listUsers(`${query}&sort=doc_count%20desc`))).toEqual(ids.toReversed());
    expect(idsOf(await listUsers(`${query}&order=id%20asc`))).toEqual(ids);
    expect(idsOf(await listUsers(query))).toEqual(ids.toReversed());
    expect(idsOf(await listUsers(`${query}&sort=login_at`, staff.headers))).toEqual(ids);
    expect((await list('sort=credit_count', staff.headers)).statusCode).toBe(200);
  });

  test('contains the first rows up to the requested limit, whatever the page', async () => {
    expect(idsOf(await listUsers('limit=2&page=3&size=1&sort=doc_count%20desc'))).toEqual([ids[2], ids[1]]);
    expect((await list('limit=101')).statusCode).toBe(400);
    expect((await list('size=101')).statusCode).toBe(400);
    const answer = (await list('size=1&page=2')).json();
    expect([answer.user.length, answer.total > 3]).toEqual([1, true]);
  });
});

describe('the rights of a user', () => {
  const rightsFor = async (roleIds: number[]) => {
    const { id, username } = await newMember(ctx, roleIds);
    const user = { id, username, isRoot: false, permissions: new Set<string>(), sessionId: 0 };
    return rightsOfUser({ ...ctx, user } as UserContext);
  };

  test('are permitted when one role permits them, and reviewed only when all roles require it', async () => {
    const strictRole = await newRole(ctx, [], {
      enable_upload: true,
      enable_document_review: true,
      enable_comment: true,
      enable_comment_approval: true,
      enable_download: false,
      max_preview: 5,
    });
    const permissiveRole = await newRole(ctx, [], {
      enable_upload: false,
      enable_comment: false,
      enable_download: true,
    });
    expect(await rightsFor([strictRole])).toEqual({
      mayUpload: true,
      uploadNeedsReview: true,
      mayComment: true,
      commentNeedsReview: true,
      mayDownload: false,
      maxPreview: 5,
    });
    expect(await rightsFor([strictRole, permissiveRole])).toEqual({
      mayUpload: true,
      uploadNeedsReview: false,
      mayComment: true,
      commentNeedsReview: false,
      mayDownload: true,
      maxPreview: 0,
    });
    expect(await rightsFor([])).toMatchObject({ mayUpload: false, mayComment: false });
  });

  test('include uploading for the default role, and a user without that right gets 403', async () => {
    const requestUploadRight = (headers: Headers) => app.inject({ url: '/api/v1/user/caniuploaddocument', headers });
    expect((await requestUploadRight((await newMember(ctx, [defaultRole])).headers)).json()).toEqual({});
    expect((await requestUploadRight(await as.root())).statusCode).toBe(200);
    const refusal = await requestUploadRight((await newMember(ctx, [await newRole(ctx)])).headers);
    expect([refusal.statusCode, refusal.json().message]).toEqual([403, '您没有上传文档的权限']);
    expect((await requestUploadRight(as.visitor)).statusCode).toBe(401);
  });

  test('come from the default role for twenty concurrent registrations, and its user count is correct', async () => {
    const count = async () =>
      (await pool.query('select user_count from roles where id = $1', [defaultRole])).rows[0].user_count;
    const before = await count();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        inTransaction(ctx, async (ctx) => {
          const { id } = await createUser(ctx, { username: `newcomer${index}`, password: 'x' });
          await assignDefaultRole(ctx, id);
          await openSession(ctx, id);
        }),
      ),
    );
    expect(await count()).toBe(before + 20);
    const { rows } = await pool.query('select count(*)::int as count from user_roles where role_id = $1', [
      defaultRole,
    ]);
    expect(rows[0].count).toBe(before + 20);
  });
});
