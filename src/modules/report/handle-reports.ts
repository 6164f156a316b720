import { and, eq, inArray, or } from 'drizzle-orm';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { deleteDocuments } from '#modules/document/delete-documents.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { applyReviewDecision } from '#modules/document/review-documents.ts';
import { notify } from '#modules/notification/notify.ts';
import { retractNotifications } from '#modules/notification/retract-notifications.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, hasPermission, inTransaction, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type ReportAction, reportActions, type reportApi, reportErrors, reportReasons } from './report.contract.ts';
import { reports } from './report.table.ts';

type Row = typeof reports.$inferSelect;

/** Texts of the notification to reporters; they continue the sentence that starts with the document. */
const DECISION_TEXTS: Record<ReportAction, string> = {
  0: '已经核实，未作处理',
  1: '已被禁用，感谢您的举报',
  2: '已被删除，感谢您的举报',
};

/** Closes reports and applies the action to their documents, in one transaction. */
export async function handleReports(
  ctx: UserContext,
  { id: ids, action, remark }: ParsedInputOf<typeof reportApi.handle>,
) {
  if (action === 1 && !hasPermission(ctx, 'DocumentAPI/CheckDocument')) throw reportErrors.mayNotDisable();
  if (action === 2 && !hasPermission(ctx, 'DocumentAPI/DeleteDocument')) throw reportErrors.mayNotDelete();
  await inRetriedTransaction(ctx, async (ctx) => {
    const requestedRows = await ctx.db.select().from(reports).where(inArray(reports.id, ids));
    if (requestedRows.length < new Set(ids).size) throw reportErrors.notFound();
    const documentIds = [...new Set(requestedRows.flatMap(({ document_id }) => document_id ?? []))];
    if (action > 0) await applyReportAction(ctx, documentIds, action, requestedRows, remark);
    const openReports = await lockOpenReports(ctx, ids, action > 0 ? documentIds : []);
    const isAnyOpen = openReports.some(({ id }) => ids.includes(id));
    if (!isAnyOpen) throw reportErrors.handled();
    await closeReports(ctx, openReports, action, remark);
    await recordAudit(ctx, {
      action: '处理举报内容',
      target: auditTarget('举报', reportAuditTargets(openReports)),
      before: { status: '未处理' },
      after: { status: '已处理', action: reportActions[action], ...(remark && { remark }) },
    });
  });
  return {};
}

/** Locks the open reports among `ids` and all other open reports about the documents. */
const lockOpenReports = (ctx: Context, ids: number[], documentIds: number[]): Promise<Row[]> =>
  ctx.db
    .select()
    .from(reports)
    .where(
      and(
        eq(reports.status, false),
        or(inArray(reports.id, ids), documentIds.length > 0 ? inArray(reports.document_id, documentIds) : undefined),
      ),
    )
    .orderBy(reports.id)
    .for('update');

async function applyReportAction(
  ctx: UserContext,
  documentIds: number[],
  action: ReportAction,
  requestedRows: Row[],
  remark: string,
): Promise<void> {
  const { id, status, deleted_at } = documents;
  const rows = await ctx.db.select({ id, status, deleted_at }).from(documents).where(inArray(id, documentIds));
  const existingDocuments = rows.filter(({ deleted_at }) => deleted_at === null);
  const reasons = [...new Set(requestedRows.map(({ reason }) => reportReasons[reason]))].join('、');
  const reason = remark || `被举报：${reasons}`;
  if (action === 2) {
    if (existingDocuments.length > 0) await deleteDocuments(ctx, { id: existingDocuments.map(({ id }) => id), reason });
    return;
  }
  const enabledIds = existingDocuments.filter(({ status }) => status !== documentStatus.disabled).map(({ id }) => id);
  if (enabledIds.length > 0) await applyReviewDecision(ctx, enabledIds, documentStatus.disabled, reason);
}

async function closeReports(ctx: UserContext, rows: Row[], action: ReportAction, remark: string): Promise<void> {
  await ctx.db
    .update(reports)
    .set({
      status: true,
      action,
      remark,
      handler_id: ctx.user.id,
      handled_at: ctx.now().toISOString(),
    })
    .where(
      inArray(
        reports.id,
        rows.map(({ id }) => id),
      ),
    );
  for (const row of rows)
    await notify(ctx, {
      userId: row.user_id,
      actorId: null,
      kind: 'report',
      key: notificationKeyOf(row),
      payload: {
        document: { id: row.document_id ?? 0, title: row.document_title },
        decision: DECISION_TEXTS[action],
        reason: remark,
        isGone: action > 0,
      },
    });
}

const notificationKeyOf = ({ id }: { id: number }): string => `report:${id}`;

const reportAuditTargets = (rows: Row[]) =>
  rows.map(({ id, document_title }) => ({ id, name: `《${document_title}》` }));

/** Closes a report without changing the document, reopens it, or changes the remark. */
export async function updateReport(ctx: UserContext, { id, status, remark }: ParsedInputOf<typeof reportApi.update>) {
  await inTransaction(ctx, async (ctx) => {
    const [row] = await ctx.db.select().from(reports).where(eq(reports.id, id)).for('update');
    if (!row) throw reportErrors.notFound();
    const newRemark = remark ?? row.remark;
    if (status === true && !row.status) await closeReports(ctx, [row], 0, newRemark);
    else
      await ctx.db
        .update(reports)
        .set({
          remark: newRemark,
          ...(status === false && { status, action: 0, handler_id: null, handled_at: null }),
        })
        .where(eq(reports.id, id));
    // The reporter is notified again when the reopened report is closed.
    if (status === false && row.status) await retractNotifications(ctx, [notificationKeyOf(row)]);
    const statusText = (isHandled: boolean) => (isHandled ? '已处理' : '未处理');
    await recordAudit(ctx, {
      action: '处理举报内容',
      target: auditTarget('举报', reportAuditTargets([row])),
      before: { status: statusText(row.status), remark: row.remark },
      after: { status: statusText(status ?? row.status), remark: newRemark },
    });
  });
  return {};
}

export async function removeReports(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    const rows = await ctx.db.delete(reports).where(inArray(reports.id, ids)).returning();
    if (rows.length < new Set(ids).size) throw reportErrors.notFound();
    await recordRemoval(
      ctx,
      { action: '删除举报内容', kind: '举报', ids },
      rows.map((row) => ({
        id: row.id,
        name: `《${row.document_title}》`,
        values: { reason: reportReasons[row.reason], user_id: row.user_id, remark: row.remark },
      })),
    );
  });
  return {};
}
