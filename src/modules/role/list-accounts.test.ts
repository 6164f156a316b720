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
const usual = await roleIdOf(ctx, '普通用户');
const people: Awaited<ReturnType<typeof newMember>>[] = [];
for (const index of [1, 2, 3]) {
  const member = await newMember(ctx, index === 3 ? [usual, reviewer] : [usual]);
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
  people.push(member);
}
const ids = people.map(({ id }) => id);
const staff = await newStaff(ctx, ['UserAPI/ListUser']);

const list = async (query: string, headers: Headers = as.visitor) =>
  app.inject({ url: `/api/v1/user/list?${query}`, headers });
const found = async (query: string, headers?: Headers): Promise<Account[]> => (await list(query, headers)).json().user;
const idsOf = (rows: Account[]) => rows.map(({ id }) => id);

describe('the list of users', () => {
  test('gives visitors and plain users the public fields and nothing private', async () => {
    for (const headers of [as.visitor, people[0]?.headers]) {
      const [row] = await found(`id=${ids[2]}`, headers);
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

  test('is not searched, filtered or ordered by what the caller may not see', async () => {
    const everybody = (await list('')).json().total;
    for (const query of ['wd=person2', 'wd=真名', `group_id=${reviewer}`, 'status=1'])
      expect((await list(query)).json().total).toBe(everybody);
    for (const column of ['login_at', 'credit_count', 'email', 'password_hash'])
      expect((await list(`sort=${column}`)).statusCode).toBe(400);
  });

  test('gives holders of the permission all fields, but never the password', async () => {
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
      group_id: [reviewer, usual],
      status: 0,
    });
  });

  test('is searched by them in name, real name, e-mail and mobile', async () => {
    for (const wd of [people[1]?.username, '真名2', 'person2@', '13900000002'])
      expect(idsOf(await found(`wd=${wd}`, staff.headers))).toEqual([ids[1]]);
    expect(await found('wd=%25', staff.headers)).toEqual([]);
  });

  test('is filtered by them by role and by state', async () => {
    expect(idsOf(await found(`group_id=${reviewer}`, staff.headers))).toEqual([ids[2]]);
    const banned = await newMember(ctx, [usual]);
    await pool.query(
      `update users set is_banned = true, ban_reason = '刷屏', banned_until = '2026-03-02T00:00:00Z' where id = $1`,
      [banned.id],
    );
    const [row] = await found('status=1', staff.headers);
    expect(row).toMatchObject({
      id: banned.id,
      status: 1,
      ban_reason: '刷屏',
      banned_until: '2026-03-02T00:00:00.000Z',
    });
    expect(idsOf(await found('status=0&size=100', staff.headers))).not.toContain(banned.id);
    const before = clock.now;
    clock.now = new Date('2026-03-02T00:00:01Z');
    expect(await found('status=1', staff.headers)).toEqual([]);
    expect((await found(`id=${banned.id}`, staff.headers))[0]).toMatchObject({
      status: 0,
      ban_reason: '',
      banned_until: null,
    });
    clock.now = before;
  });

  test('is ordered as asked', async () => {
    const query = ids.map((id) => `id=${id}`).join('&');
    expect(idsOf(await found(`${query}&sort=doc_count%20desc`))).toEqual(ids.toReversed());
    expect(idsOf(await found(`${query}&order=id%20asc`))).toEqual(ids);
    expect(idsOf(await found(query))).toEqual(ids.toReversed());
    expect(idsOf(await found(`${query}&sort=login_at`, staff.headers))).toEqual(ids);
    expect((await list('sort=credit_count', staff.headers)).statusCode).toBe(200);
  });

  test('gives the first so many when a limit is asked for, whatever the page', async () => {
    expect(idsOf(await found('limit=2&page=3&size=1&sort=doc_count%20desc'))).toEqual([ids[2], ids[1]]);
    expect((await list('limit=101')).statusCode).toBe(400);
    expect((await list('size=101')).statusCode).toBe(400);
    const answer = (await list('size=1&page=2')).json();
    expect([answer.user.length, answer.total > 3]).toEqual([1, true]);
  });
});

describe('what roles allow', () => {
  const flagsFor = async (roleIds: number[]) => {
    const { id, username } = await newMember(ctx, roleIds);
    const user = { id, username, root: false, permissions: new Set<string>(), sessionId: 0 };
    return rightsOfUser({ ...ctx, user } as UserContext);
  };

  test('one that allows is enough, and one that asks for no review', async () => {
    const strict = await newRole(ctx, [], {
      enable_upload: true,
      enable_document_review: true,
      enable_comment: true,
      enable_comment_approval: true,
      enable_download: false,
      max_preview: 5,
    });
    const free = await newRole(ctx, [], {
      enable_upload: false,
      enable_comment: false,
      enable_download: true,
    });
    expect(await flagsFor([strict])).toEqual({
      mayUpload: true,
      uploadNeedsReview: true,
      mayComment: true,
      commentNeedsReview: true,
      mayDownload: false,
      maxPreview: 5,
    });
    expect(await flagsFor([strict, free])).toEqual({
      mayUpload: true,
      uploadNeedsReview: false,
      mayComment: true,
      commentNeedsReview: false,
      mayDownload: true,
      maxPreview: 0,
    });
    expect(await flagsFor([])).toMatchObject({ mayUpload: false, mayComment: false });
  });

  test('an ordinary user may upload, somebody whose roles do not allow it is told so', async () => {
    const may = (headers: Headers) => app.inject({ url: '/api/v1/user/caniuploaddocument', headers });
    expect((await may((await newMember(ctx, [usual])).headers)).json()).toEqual({});
    expect((await may(await as.root())).statusCode).toBe(200);
    const refused = await may((await newMember(ctx, [await newRole(ctx)])).headers);
    expect([refused.statusCode, refused.json().message]).toEqual([403, '您没有上传文档的权限']);
    expect((await may(as.visitor)).statusCode).toBe(401);
  });

  test('twenty newcomers at once get the default role and are counted in it', async () => {
    const count = async () =>
      (await pool.query('select user_count from roles where id = $1', [usual])).rows[0].user_count;
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
    const { rows } = await pool.query('select count(*)::int as count from user_roles where role_id = $1', [usual]);
    expect(rows[0].count).toBe(before + 20);
  });
});
