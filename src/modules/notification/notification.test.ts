import { beforeEach, describe, expect, test } from 'vitest';
import { numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { newReader } from '#modules/favorite/favorite.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { deleteOldNotifications, sendMailDigest } from './mail-digest.ts';
import { notify } from './notify.ts';

const { app, ctx, clock, pool } = await testApp();
type Headers = { authorization?: string };
type Person = Awaited<ReturnType<typeof newReader>>;
let person: Person;
let actor: Person;
beforeEach(async () => {
  [person, actor] = [await newReader(ctx), await newReader(ctx)];
});

const get = async (path: string, { headers }: { headers: Headers } = person) =>
  (await app.inject({ url: `/api/v1/notification${path}`, headers })).json();
const put = (path: string, payload: object, { headers }: { headers: Headers } = person) =>
  app.inject({ method: 'PUT', url: `/api/v1/notification${path}`, headers, payload });
const readUnreadCount = async () => (await get('/unread')).unread;
const document = { id: 7, title: '力学讲义' };
const notifyPerson = (key: string, kind: 'favorite' | 'comment' = 'favorite') =>
  kind === 'favorite'
    ? notify(ctx, { userId: person.id, actorId: actor.id, kind, key, payload: { document } })
    : notify(ctx, {
        userId: person.id,
        actorId: actor.id,
        kind,
        key,
        payload: { document, comment_id: 3, excerpt: '很好' },
      });

describe('notifications', () => {
  test('contain actor, text and link, newest first', async () => {
    await notifyPerson('a');
    await notifyPerson('b', 'comment');
    const { total, notification } = await get('/list');
    const { rows } = await pool.query('select username from users where id = $1', [actor.id]);
    const { username } = rows[0];
    expect(total).toBe(2);
    expect(notification).toMatchObject([
      {
        kind: 'comment',
        content: `${username} 评论了您的文档《力学讲义》：很好`,
        link: '/document/7?comment=3',
        actor: { id: actor.id, username },
        is_read: false,
      },
      { kind: 'favorite', content: `${username} 收藏了您的文档《力学讲义》` },
    ]);
    expect((await get('/list?kind=comment')).total).toBe(1);
  });

  test('with the same key are stored once, also for a hundred concurrent calls', async () => {
    await Promise.all(numbersUpTo(100).map(() => notifyPerson('same')));
    expect(await readUnreadCount()).toBe(1);
    await Promise.all(numbersUpTo(100).map((at) => notifyPerson(`other ${at}`)));
    expect(await readUnreadCount()).toBe(101);
  });

  test('are unread until they are marked as read, individually or all together', async () => {
    for (const key of ['a', 'b', 'c']) await notifyPerson(key);
    const [{ id }] = (await get('/list')).notification;
    await Promise.all(numbersUpTo(10).map(() => put('/read', { id: [id] })));
    expect(await readUnreadCount()).toBe(2);
    expect((await get('/list?is_read=true')).total).toBe(1);
    expect((await put('/read', { all: true })).json()).toEqual({});
    expect(await readUnreadCount()).toBe(0);
    expect((await put('/read', {})).statusCode).toBe(400);
    const deletion = await app.inject({
      method: 'DELETE',
      url: `/api/v1/notification?id=${id}`,
      headers: person.headers,
    });
    expect(deletion.json()).toEqual({});
    expect((await get('/list')).total).toBe(2);
  });

  test('are not created for the acting user and for disabled kinds', async () => {
    const self = { userId: person.id, actorId: person.id, kind: 'follow', key: 'x', payload: {} };
    await notify(ctx, { ...self, kind: 'follow' });
    expect(await readUnreadCount()).toBe(0);
    await put('/setting', { kind: 'favorite', site: false });
    await notifyPerson('a');
    await notifyPerson('b', 'comment');
    expect((await get('/list')).notification).toMatchObject([{ kind: 'comment' }]);
    const { setting } = await get('/setting');
    expect(setting).toContainEqual({
      kind: 'favorite',
      title: '我的文档被收藏',
      site: false,
      mail: false,
    });
    expect(setting).toContainEqual(expect.objectContaining({ kind: 'reply', site: true, mail: true }));
    await put('/setting', { kind: 'favorite', site: true, mail: true });
    await notifyPerson('c');
    expect(await readUnreadCount()).toBe(2);
    expect((await put('/setting', { kind: 'weather', site: true })).statusCode).toBe(400);
  });

  test('with an invalid payload get a generic text and do not hide the others', async () => {
    await pool.query(
      `insert into notifications (user_id, kind, key, created_at) values ($1, 'comment', 'old', now())`,
      [person.id],
    );
    await notifyPerson('a');
    expect((await get('/list')).notification).toMatchObject([{ kind: 'favorite' }, { content: '有一条消息' }]);
  });

  test('are deleted after half a year', async () => {
    await notifyPerson('a');
    clock.now = new Date(clock.now.getTime() + 181 * 24 * 60 * 60 * 1000);
    await notifyPerson('b');
    await deleteOldNotifications.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    const { rows } = await pool.query('select key from notifications where user_id = $1', [person.id]);
    expect(rows).toEqual([{ key: 'b' }]);
  });
});

describe('the mail digest', () => {
  const run = () => sendMailDigest.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  const mails = async () =>
    (await pool.query('select subject, text from mails where recipient = $1', [`reader${person.id}@mail.example`]))
      .rows;
  beforeEach(async () => {
    await pool.query('update users set email = $2 where id = $1', [person.id, `reader${person.id}@mail.example`]);
  });

  test('is not sent while the site has no mail server', async () => {
    await notifyPerson('a', 'comment');
    await run();
    expect(await mails()).toEqual([]);
  });

  test('contains unread notifications of mailed kinds and is sent once by concurrent workers', async () => {
    await setSetting(ctx, 'email.enable', 'true');
    await setSetting(ctx, 'email.host', 'mail.invalid');
    await notifyPerson('a', 'comment');
    await notifyPerson('b', 'comment');
    await notifyPerson('c', 'favorite');
    await Promise.all(numbersUpTo(5).map(run));
    await run();
    const sentMails = await mails();
    expect(sentMails).toHaveLength(1);
    expect(sentMails[0].subject).toBe('您有 2 条新消息 - 豆库');
    expect(sentMails[0].text).toContain('评论了您的文档《力学讲义》：很好');
    expect(sentMails[0].text).toContain('/notification?view=setting');
    expect(sentMails[0].text).not.toContain('收藏了');
    expect(await readUnreadCount()).toBe(3);
  });

  test('excludes read and old notifications and banned users', async () => {
    await notifyPerson('a', 'comment');
    await put('/read', { all: true });
    await run();
    await notifyPerson('b', 'comment');
    clock.now = new Date(clock.now.getTime() + 8 * 24 * 60 * 60 * 1000);
    await run();
    await notifyPerson('c', 'comment');
    await pool.query('update users set is_banned = true where id = $1', [person.id]);
    await run();
    expect(await mails()).toEqual([]);
  });
});
