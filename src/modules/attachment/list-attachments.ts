import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { containsWords, countRows, orderByTerms } from '#platform/server/db/list-query.ts';
import { type AttachmentType, attachmentTypeNames } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';
import { type attachmentApi, attachmentErrors } from './manage-attachments.contract.ts';

const columns = {
  ...getTableColumns(attachments),
  user_id: sql<number>`coalesce(${attachments.user_id}, 0)`.mapWith(Number),
  username: sql<string>`coalesce(${users.username}, '')`,
};
const { id, name, description, enable, type, ext, size, created_at, updated_at } = attachments;
const orderColumns = { id, name, enable, type, ext, size, created_at, updated_at };

const selectAttachments = (ctx: Context, condition: SQL | undefined) =>
  ctx.db.select(columns).from(attachments).leftJoin(users, eq(users.id, attachments.user_id)).where(condition);

const withTypeName = <R extends { type: number }>(row: R) => ({
  ...row,
  type_name: attachmentTypeNames[row.type as AttachmentType] ?? attachmentTypeNames[0],
});

export async function listAttachments(ctx: Context, input: ParsedInputOf<typeof attachmentApi.list>) {
  const condition = and(
    containsWords([name, description], input.wd),
    input.enable?.length ? inArray(enable, input.enable) : undefined,
    input.user_id?.length ? inArray(attachments.user_id, input.user_id) : undefined,
    input.type?.length ? sql`${type}::int in ${input.type}` : undefined,
    input.ext ? eq(ext, `.${input.ext.toLowerCase().replace(/^\./, '')}`) : undefined,
  );
  const rows = await selectAttachments(ctx, condition)
    .orderBy(...orderByTerms(input, orderColumns, [desc(id)]))
    .limit(input.size)
    .offset((input.page - 1) * input.size);
  return {
    total: await countRows(ctx.db, attachments, condition),
    attachment: rows.map(withTypeName),
  };
}

export async function getAttachment(ctx: Context, input: { id: number }) {
  const [row] = await selectAttachments(ctx, eq(id, input.id));
  if (!row) throw attachmentErrors.notFound();
  return withTypeName(row);
}
