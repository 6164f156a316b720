import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { setSetting } from '#modules/settings/settings.ts';
import { failureReason } from '#platform/server/jobs/job-failure.ts';
import { testApp } from '#testing/test-app.ts';
import { describeMailFailure } from './describe-mail-failure.ts';
import { startMailServer } from './mail-server.fixture.ts';
import { sendMail } from './send-mail.ts';

const { app, as, ctx, pool } = await testApp({ env: { LOG_LEVEL: 'fatal' } });
const root = await as.root();

/** Sends a mail as the job does after its last attempt. Returns what was logged. */
async function failToSend(port: number): Promise<unknown[]> {
  await setSetting(ctx, 'email.host', '127.0.0.1');
  await setSetting(ctx, 'email.port', String(port));
  await setSetting(ctx, 'email.is_tls', 'false');
  await setSetting(ctx, 'email.enable', 'true');
  const { rows } = await pool.query(
    `insert into mails (recipient, subject, text, html, status) values ('a@b.example', '题', '', '', 'pending') returning id`,
  );
  const id = Number(rows[0].id);
  const logLines: unknown[] = [];
  const log = { ...ctx.log, warn: (...line: unknown[]) => void logLines.push(...line) };
  const attempt = { signal: new AbortController().signal, attempt: 1 };
  const error: unknown = await sendMail.run({ ...ctx, log }, { id }, attempt).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Error);
  await sendMail.onFailed?.(ctx, { id }, failureReason({ message: (error as Error).message }));
  return logLines;
}

/** The texts that administrators see: outbox, its export, and the state of the site. */
async function visibleTexts(): Promise<{ error: string; texts: string[] }> {
  const get = (path: string) => app.inject({ url: `/api/v1${path}`, headers: root });
  const { mail } = (await get('/mail/list?order=id%20desc')).json();
  const exportedRow = (await get('/mail/list.csv?order=id%20desc')).body.split('\n')[1] ?? '';
  const { envs } = (await get('/envs')).json();
  const { detail } = envs.find(({ name }: { name: string }) => name === '邮件');
  return { error: mail[0].error, texts: [exportedRow, detail] };
}

afterEach(() => setSetting(ctx, 'email.username', ''));

describe('the reason of a failed mail', () => {
  const expectReason = async (reason: string, logLines: unknown[], driverMessage: RegExp) => {
    const { error, texts } = await visibleTexts();
    expect(error).toBe(reason);
    for (const text of texts) {
      expect(text).toContain(reason);
      expect(text).not.toMatch(driverMessage);
    }
    expect(String((logLines[0] as { err: Error }).err.message)).toMatch(driverMessage);
  };

  test('is a refused connection', async () => {
    await expectReason('邮件服务器拒绝连接，请检查地址和端口', await failToSend(1), /ECONNREFUSED/);
  });

  test('is a failed authentication, with the status code of the server', async () => {
    const { port } = await startMailServer({
      authMethods: ['PLAIN'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(new Error('Invalid login')),
    });
    await setSetting(ctx, 'email.username', 'sender@b.example');
    await setSetting(ctx, 'email.password', 'wrong');
    await expectReason('邮件服务器认证失败，请检查用户名和密码（535）', await failToSend(port), /Invalid login/);
  });

  test('is a rejected recipient, with the status code of the server', async () => {
    const { port } = await startMailServer({
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error('no such user'), { responseCode: 550 })),
    });
    await expectReason('邮件服务器拒绝了收件地址（550）', await failToSend(port), /no such user/);
  });

  test.each([
    [{ code: 'ETIMEDOUT' }, '连接邮件服务器超时'],
    [{ code: 'EMESSAGE', responseCode: 552 }, '邮件服务器拒绝了这封邮件（552）'],
    [new Error('unexpected'), '邮件没有寄出，原因见日志'],
  ])('describes %o as %s', (error, sentence) => {
    expect(describeMailFailure(error)).toBe(sentence);
  });

  test('is a closed connection', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const logLines = await failToSend(typeof address === 'object' && address ? address.port : 0);
    await new Promise((resolve) => server.close(resolve));
    await expectReason('与邮件服务器的连接中断', logLines, /close|ECONNRESET/i);
  });
});
