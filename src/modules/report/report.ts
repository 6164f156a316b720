import { and, desc, eq, inArray } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '#modules/account/account.table.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { lockDocuments } from '#modules/document/lock-documents.ts';
import { canSee } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { containsWords, countOrEstimate, orderByTerms } from '#platform/server/db/list-query.ts';
import { type ReportReason, type reportApi, reportErrors, reportReasons } from './report.contract.ts';
import { reports } from './report.table.ts';

export async function createReport(
  ctx: UserContext,
  { document_id, reason, content }: ParsedInputOf<typeof reportApi.create>,
) {
  await inTransaction(ctx, async (ctx) => {
    const [document] = await lockDocuments(ctx, [document_id]);
    if (!document || !canSee(ctx, document)) throw documentErrors.notFound();
    if (document.user_id === ctx.user.id) throw reportErrors.ownDocument();
    const [row] = await ctx.db
      .insert(reports)
      .values({
        document_id,
        reason,
        content,
        user_id: ctx.user.id,
        document_title: document.title,
        created_at: ctx.now().toISOString(),
      })
      .onConflictDoNothing({ target: [reports.user_id, reports.document_id] })
      .returning({ id: reports.id });
    if (!row) throw reportErrors.exists();
  });
  return {};
}

export async function getMyReport(ctx: UserContext, { document_id }: { document_id: number }) {
  const { id, reason, status, remark } = reports;
  const [row] = await ctx.db
    .select({ id, reason, status, remark })
    .from(reports)
    .where(and(eq(reports.user_id, ctx.user.id), eq(reports.document_id, document_id)));
  return row ?? { id: 0, reason: 0, status: false, remark: '' };
}

const { id, status, reason, created_at, updated_at, document_title, handled_at } = reports;
const orderColumns = { id, status, reason, created_at, updated_at, document_title, handled_at };

export async function listReports(ctx: Context, input: ParsedInputOf<typeof reportApi.list>) {
  const reasons = input.reason?.filter((each) => Object.hasOwn(reportReasons, each));
  const condition = and(
    containsWords([document_title], input.wd),
    input.status?.length ? inArray(status, input.status) : undefined,
    input.reason?.length ? inArray(reason, (reasons ?? []) as ReportReason[]) : undefined,
    input.document_id?.length ? inArray(reports.document_id, input.document_id) : undefined,
  );
  const handlers = alias(users, 'handlers');
  const rows = await ctx.db
    .select({ row: reports, username: users.username, handler: handlers.username })
    .from(reports)
    .innerJoin(users, eq(users.id, reports.user_id))
    .leftJoin(handlers, eq(handlers.id, reports.handler_id))
    .where(condition)
    .orderBy(...orderByTerms(input, orderColumns, [desc(id)]))
    .limit(input.size)
    .offset((input.page - 1) * input.size);
  return {
    total: await countOrEstimate(ctx.db, reports, condition),
    report: rows.map(({ row, username, handler }) => ({
      ...row,
      document_id: row.document_id ?? 0,
      username,
      handler: handler ?? '',
    })),
  };
}
