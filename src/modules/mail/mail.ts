import { and, count, desc, eq, inArray } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { containsWords, orderByTerms, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import type { mailApi } from './mail.contract.ts';
import { mails } from './mail.table.ts';
import { sendMail } from './send-mail.ts';

/** Masks reset tokens and codes, which give access to an account. */
const maskSecrets = (text: string) => text.replace(/token=[\w-]+/g, 'token=******').replace(/^\d{6}$/gm, '******');

const escapeHtml = (text: string) => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Stores a mail in the outbox and enqueues its job, in the caller's transaction. Paragraphs are plain text. */
export async function enqueueMail(
  ctx: Context,
  mail: { to: string; subject: string; paragraphs: string[] },
): Promise<void> {
  const { to: recipient, subject, paragraphs } = mail;
  const withLinks = (text: string) =>
    escapeHtml(text).replace(/https?:\/\/[^\s&]+(?:&#38;[^\s&]+)*/g, '<a href="$&">$&</a>');
  const html = paragraphs.map((text) => `<p>${withLinks(text)}</p>`).join('\n');
  const [row] = await ctx.db
    .insert(mails)
    .values({ recipient, subject, text: paragraphs.join('\n\n'), html, status: 'pending' })
    .returning({ id: mails.id });
  if (!row) throw new Error('the insert returned no mail');
  await ctx.jobs.send(sendMail, { id: row.id }, { db: ctx.db });
}

/** Enqueues mails whose job was lost, as after a restore. The job sends each mail once. */
export async function requeuePendingMails(ctx: Context): Promise<void> {
  const pendingMails = await ctx.db.select({ id: mails.id }).from(mails).where(eq(mails.status, 'pending'));
  for (const { id } of pendingMails) await ctx.jobs.send(sendMail, { id }, { key: `mail-${id}` });
}

const { id, recipient: to, subject, status, created_at, sent_at } = mails;
const orderColumns = { id, to, subject, status, created_at, sent_at };

export async function listMails(ctx: Context, input: ParsedInputOf<typeof mailApi.list>) {
  const condition = and(
    containsWords([mails.recipient, mails.subject], input.wd),
    input.status && inArray(mails.status, input.status),
  );
  const { limit = 10, offset } = toLimitAndOffset(input);
  const rows = await ctx.db
    .select()
    .from(mails)
    .where(condition)
    .orderBy(...orderByTerms(input, orderColumns, [desc(mails.id)]))
    .limit(limit)
    .offset(offset);
  const [total] = await ctx.db.select({ count: count() }).from(mails).where(condition);
  return {
    total: total?.count ?? 0,
    mail: rows.map(({ recipient, ...otherFields }) => ({ ...otherFields, to: recipient })),
  };
}

export async function getMail(ctx: Context, { id }: { id: number }) {
  const [row] = await ctx.db.select().from(mails).where(eq(mails.id, id));
  if (!row) throw httpErrors.notFound('邮件不存在');
  const { recipient, text, ...otherFields } = row;
  // Root may read unsent mails to pass them on; root has all rights, so the secrets give root nothing new.
  const isReadable = ctx.user?.isRoot === true && row.status !== 'sent';
  return { ...otherFields, to: recipient, text: isReadable ? text : maskSecrets(text) };
}
