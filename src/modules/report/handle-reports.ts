import { and, eq, inArray, or } from 'drizzle-orm';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { deleteDocuments } from '#modules/document/delete-documents.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { applyReviewDecision } from '#modules/document/review-documents.ts';
import { notify } from '#modules/notification/notify.ts';
import { retractNotifications } from '#modules/notification/retract-notifications.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, can, inTransaction, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type ReportAction, reportActions, type reportApi, reportErrors, reportReasons } from './report.contract.ts';
import { reports } from './report.table.ts';

type Row = typeof reports.$inferSelect;

/** What reporters read; their words end the sentence that names the document. */
const decisions: Record<ReportAction, string> = {
  0: '已经核实，未作处理',
  1: '已被禁用，感谢您的举报',
  2: '已被删除，感谢您的举报',
};

/** Answers reports, and does to their documents what was decided: all of it or nothing. */
export async function handleReports(
  ctx: UserContext,
  { id: ids, action, remark }: ParsedInputOf<typeof reportApi.handle>,
) {
  if (action === 1 && !can(ctx, 'DocumentAPI/CheckDocument')) throw reportErrors.mayNotDisable();
  if (action === 2 && !can(ctx, 'DocumentAPI/DeleteDocument')) throw reportErrors.mayNotDelete();
  await inRetriedTransaction(ctx, async (ctx) => {
    const asked = await ctx.db.select().from(reports).where(inArray(reports.id, ids));
    if (asked.length < new Set(ids).size) throw reportErrors.notFound();
    const documentIds = [...new Set(asked.flatMap(({ document_id }) => document_id ?? []))];
    if (action > 0) await actOn(ctx, documentIds, action, asked, remark);
    const open = await lockOpen(ctx, ids, action > 0 ? documentIds : []);
    const isAnswered = open.some(({ id }) => ids.includes(id));
    if (!isAnswered) throw reportErrors.handled();
    await close(ctx, open, action, remark);
    await recordAudit(ctx, {
      action: '处理举报内容',
      target: auditTarget('举报', targetsOf(open)),
      before: { status: '未处理' },
      after: { status: '已处理', action: reportActions[action], ...(remark && { remark }) },
    });
  });
  return {};
}

/** Reports that wait: those asked for, and all others about the same documents. */
const lockOpen = (ctx: Context, ids: number[], documentIds: number[]): Promise<Row[]> =>
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

async function actOn(
  ctx: UserContext,
  documentIds: number[],
  action: ReportAction,
  asked: Row[],
  remark: string,
): Promise<void> {
  const { id, status, deleted_at } = documents;
  const rows = await ctx.db.select({ id, status, deleted_at }).from(documents).where(inArray(id, documentIds));
  const present = rows.filter(({ deleted_at }) => deleted_at === null);
  const reasons = [...new Set(asked.map(({ reason }) => reportReasons[reason]))].join('、');
  const reason = remark || `被举报：${reasons}`;
  if (action === 2) {
    if (present.length > 0) await deleteDocuments(ctx, { id: present.map(({ id }) => id), reason });
    return;
  }
  const shown = present.filter(({ status }) => status !== documentStatus.disabled).map(({ id }) => id);
  if (shown.length > 0) await applyReviewDecision(ctx, shown, documentStatus.disabled, reason);
}

async function close(ctx: UserContext, open: Row[], action: ReportAction, remark: string): Promise<void> {
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
        open.map(({ id }) => id),
      ),
    );
  for (const row of open)
    await notify(ctx, {
      userId: row.user_id,
      actorId: null,
      kind: 'report',
      key: keyOf(row),
      payload: {
        document: { id: row.document_id ?? 0, title: row.document_title },
        decision: decisions[action],
        reason: remark,
        isGone: action > 0,
      },
    });
}

/** Names the answer to a report among all that its reporter is told of. */
const keyOf = ({ id }: { id: number }): string => `report:${id}`;

const targetsOf = (rows: Row[]) => rows.map(({ id, document_title }) => ({ id, name: `《${document_title}》` }));

/** Marks one as handled without touching the document, opens it again, or changes the answer. */
export async function updateReport(ctx: UserContext, { id, status, remark }: ParsedInputOf<typeof reportApi.update>) {
  await inTransaction(ctx, async (ctx) => {
    const [row] = await ctx.db.select().from(reports).where(eq(reports.id, id)).for('update');
    if (!row) throw reportErrors.notFound();
    const answer = remark ?? row.remark;
    if (status === true && !row.status) await close(ctx, [row], 0, answer);
    else
      await ctx.db
        .update(reports)
        .set({
          remark: answer,
          ...(status === false && { status, action: 0, handler_id: null, handled_at: null }),
        })
        .where(eq(reports.id, id));
    // Another answer follows.
    if (status === false && row.status) await retractNotifications(ctx, [keyOf(row)]);
    const stateOf = (handled: boolean) => (handled ? '已处理' : '未处理');
    await recordAudit(ctx, {
      action: '处理举报内容',
      target: auditTarget('举报', targetsOf([row])),
      before: { status: stateOf(row.status), remark: row.remark },
      after: { status: stateOf(status ?? row.status), remark: answer },
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
