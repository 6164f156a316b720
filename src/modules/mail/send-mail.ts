import { and, eq, ne } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import * as z from 'zod/mini';
import { getSettings, hasMailServer } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { describeMailFailure } from './describe-mail-failure.ts';
import { mails } from './mail.table.ts';

const TIMEOUT_MS = 20_000;

/** Uses the mail server of the environment, else that of the settings; null when there is none. */
async function createMailTransport(ctx: Context) {
  if (!(await hasMailServer(ctx))) return null;
  const { email } = await getSettings(ctx);
  const timeouts = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  };
  if (ctx.config.smtpUrl) return createTransport({ url: ctx.config.smtpUrl, ...timeouts });
  return createTransport({
    host: email.host,
    port: email.port,
    secure: email.is_tls,
    ...(email.username && { auth: { user: email.username, pass: email.password } }),
    ...timeouts,
  });
}

async function senderAddress(ctx: Context) {
  const { email, system } = await getSettings(ctx);
  const smtpUser = ctx.config.smtpUrl ? decodeURIComponent(new URL(ctx.config.smtpUrl).username) : '';
  const candidates = [email.username, smtpUser];
  const address = candidates.find((each) => each.includes('@')) ?? 'noreply@localhost';
  return { name: email.from_name || system.sitename, address };
}

/** Sends a mail of the outbox. Without a mail server it stays there, where root can read it. */
export const sendMail = defineJob({
  name: 'send-mail',
  input: z.object({ id: z.int() }),
  retries: 5,
  retryDelaySeconds: 15,
  timeoutSeconds: 60,
  run: async (ctx: Context, { id }) => {
    const [mail] = await ctx.db
      .select()
      .from(mails)
      .where(and(eq(mails.id, id), ne(mails.status, 'sent')));
    if (!mail) return;
    const server = await createMailTransport(ctx);
    const { recipient: to, subject, text, html } = mail;
    if (!server) {
      await ctx.db.update(mails).set({ status: 'kept' }).where(eq(mails.id, id));
      // Without the text: its links and codes give access to an account.
      ctx.log.warn({ mail: id, to, subject }, 'no mail server: the mail stays in the outbox');
      return;
    }
    const from = await senderAddress(ctx);
    await server.sendMail({ from, to, subject, text, html }).catch((error: unknown) => {
      ctx.log.warn({ err: error, mail: id }, 'could not send a mail');
      throw new Error(describeMailFailure(error));
    });
    await ctx.db
      .update(mails)
      .set({ status: 'sent', sent_at: ctx.now().toISOString(), error: '' })
      .where(eq(mails.id, id));
  },
  onFailed: async (ctx: Context, { id }, reason) => {
    await ctx.db.update(mails).set({ status: 'failed', error: reason }).where(eq(mails.id, id));
  },
});
