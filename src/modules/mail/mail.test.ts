import { expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { enqueueMail } from './mail.ts';
import { sendMail } from './send-mail.ts';

const { app, as, ctx, pool } = await testApp();
await enqueueMail(ctx, {
  to: 'reader@mail.example',
  subject: '找回密码',
  paragraphs: ['您好 <b>：', 'https://douku.example/findpassword?token=abc-DEF_123&email=x'],
});
const { rows } = await pool.query('select id, html from mails');
const readText = async (headers: { authorization?: string }) =>
  (await app.inject({ url: `/api/v1/mail?id=${rows[0].id}`, headers })).json().text;

test('a reset link in the outbox is visible to root only, and masked for all once the mail was sent', async () => {
  const staff = await as.userWith(['MailAPI/ListMail']);
  expect(await readText(staff)).toContain('token=******&email=x');
  expect(await readText(await as.root())).toContain('token=abc-DEF_123');
  await pool.query(`update mails set status = 'sent'`);
  expect(await readText(await as.root())).not.toContain('abc-DEF_123');
});

test('the HTML of a mail escapes text and contains links', () => {
  expect(rows[0].html).toContain('您好 &#60;b&#62;：');
  expect(rows[0].html).toMatch(/<a href="https:\/\/douku\.example\/findpassword\?token=abc-DEF_123/);
});

test('the outbox is sorted by the requested column', async () => {
  const root = await as.root();
  const list = (order: string) =>
    app.inject({ url: `/api/v1/mail/list?order=${encodeURIComponent(order)}`, headers: root });
  const ids = async (order: string): Promise<number[]> =>
    (await list(order)).json().mail.map(({ id }: { id: number }) => id);
  await pool.query(
    `insert into mails (recipient, subject, text, html, status)
     values ('a@b.example', '甲', '', '', 'kept'), ('c@d.example', '乙', '', '', 'kept')`,
  );
  const oldest = await ids('id asc');
  expect(oldest.length).toBeGreaterThan(1);
  expect(oldest).toEqual(oldest.toSorted((a, b) => a - b));
  expect((await list('text')).statusCode).toBe(400);
});

test('the outbox is listed without texts and requires the permission', async () => {
  const list = async (headers: { authorization?: string }) =>
    app.inject({ url: '/api/v1/mail/list?status=sent', headers });
  expect((await list(await as.user())).statusCode).toBe(403);
  const [mail] = (await list(await as.userWith(['MailAPI/ListMail']))).json().mail;
  expect(mail).toMatchObject({ to: 'reader@mail.example', status: 'sent' });
  expect(mail).not.toHaveProperty('text');
});

test('saving the mail settings sends a mail to the test address of the settings', async () => {
  const save = async (values: Record<string, string>) =>
    app.inject({
      method: 'PUT',
      url: '/api/v1/config',
      headers: await as.root(),
      payload: {
        config: Object.entries(values).map(([name, value]) => ({ category: 'email', name, value })),
      },
    });
  await save({ test_email: 'admin@mail.example' });
  await save({ enable: 'true', host: 'mail.example' });
  const { rows } = await pool.query(`select subject from mails where recipient = 'admin@mail.example'`);
  expect(rows).toEqual([{ subject: '测试邮件 - 豆库' }]);
});

test('a code in the outbox is visible to root only, and masked for all once the mail was sent', async () => {
  const to = 'coded@mail.example';
  await enqueueMail(ctx, {
    to,
    subject: '邮箱验证码',
    paragraphs: ['验证码是：', '204816', '再会 123456 号'],
  });
  const { rows } = await pool.query('select id from mails where recipient = $1', [to]);
  const text = async (headers: { authorization?: string }) =>
    (await app.inject({ url: `/api/v1/mail?id=${rows[0].id}`, headers })).json().text;
  const staff = await as.userWith(['MailAPI/ListMail']);
  expect(await text(staff)).toBe('验证码是：\n\n******\n\n再会 123456 号');
  expect(await text(await as.root())).toContain('204816');
  await pool.query(`update mails set status = 'sent' where id = $1`, [rows[0].id]);
  expect(await text(await as.root())).not.toContain('204816');
});

test('without a mail server a mail stays in the outbox, and the log contains recipient and subject', async () => {
  await setSetting(ctx, 'email.enable', 'false');
  const to = 'kept@mail.example';
  const link = 'https://douku.example/findpassword?token=SECRET-TOKEN';
  await enqueueMail(ctx, { to, subject: '找回密码', paragraphs: [link, '918273'] });
  const { rows } = await pool.query('select id from mails where recipient = $1', [to]);
  const lines: unknown[][] = [];
  const log = { ...ctx.log, warn: (...line: unknown[]) => void lines.push(line) };
  const attempt = { signal: new AbortController().signal, attempt: 1 };
  await sendMail.run({ ...ctx, log }, { id: Number(rows[0].id) }, attempt);
  const result = await pool.query('select status from mails where id = $1', [rows[0].id]);
  expect(result.rows).toEqual([{ status: 'kept' }]);
  expect(lines).toEqual([
    [{ mail: Number(rows[0].id), to, subject: '找回密码' }, 'no mail server: the mail stays in the outbox'],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/SECRET-TOKEN|918273/);
});
