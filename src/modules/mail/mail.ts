import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { contains, pageRange } from '#platform/server/lists.ts';
import type { mailApi } from './mail.contract.ts';
import { mails } from './mail.table.ts';
import { sendMail } from './send-mail.ts';

const escapeHtml = (text: string) =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Address of the site in links of mails: configured, never taken from a request. */
export async function siteAddress(ctx: Context): Promise<string> {
  const { system } = await getSettings(ctx);
  const address = ctx.config.publicUrl || system.domain || `http://localhost:${ctx.config.port}`;
  return address.replace(/\/+$/, '');
}

/** Puts a mail into the outbox and has it sent, in the caller's transaction. Paragraphs are plain text. */
export async function postMail(
  ctx: Context,
  mail: { to: string; subject: string; paragraphs: string[] },
): Promise<void> {
  const { to: recipient, subject, paragraphs } = mail;
  const linked = (text: string) =>
    escapeHtml(text).replace(/https?:\/\/[^\s&]+(?:&#38;[^\s&]+)*/g, '<a href="$&">$&</a>');
  const html = paragraphs.map((text) => `<p>${linked(text)}</p>`).join('\n');
  const [row] = await ctx.db
    .insert(mails)
    .values({ recipient, subject, text: paragraphs.join('\n\n'), html, status: 'pending' })
    .returning({ id: mails.id });
  if (!row) throw new Error('the mail was not stored');
  await ctx.jobs.send(sendMail, { id: row.id }, { db: ctx.db });
}

export async function listMails(ctx: Context, input: ParsedInputOf<typeof mailApi.list>) {
  const condition = and(
    contains([mails.recipient, mails.subject], input.wd),
    input.status && inArray(mails.status, input.status),
  );
  const { limit = 10, offset } = pageRange(input);
  const rows = await ctx.db
    .select()
    .from(mails)
    .where(condition)
    .orderBy(desc(mails.id))
    .limit(limit)
    .offset(offset);
  const [total] = await ctx.db.select({ count: count() }).from(mails).where(condition);
  return {
    total: total?.count ?? 0,
    mail: rows.map(({ recipient, ...rest }) => ({ ...rest, to: recipient })),
  };
}

export async function getMail(ctx: Context, { id }: { id: number }) {
  const [row] = await ctx.db.select().from(mails).where(eq(mails.id, id));
  if (!row) throw httpErrors.notFound('邮件不存在');
  const { recipient, ...rest } = row;
  return { ...rest, to: recipient };
}
