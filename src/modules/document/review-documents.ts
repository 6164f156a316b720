import { inArray, sql } from 'drizzle-orm';
import { lockDocumentAttachments } from '#modules/attachment/document-attachments.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { notify } from '#modules/notification/notify.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { documentErrors, documentStatus, documentStatuses } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { conversionStateOf, type ReviewState } from './document-states.ts';
import { lockExistingDocuments, lockOwnerBalances } from './lock-documents.ts';
import { lockRenditions, type RenditionRow } from './lock-renditions.ts';
import { type manageDocumentApi, type ReviewDecision, reviewDecisions } from './manage.contract.ts';
import { recordFirstPublication } from './review/record-first-publication.ts';

const APPROVE_REVIEW = 0;

/** Published documents take the status of their conversion, which no reviewer decides. */
const decidedStates: Record<ReviewDecision, ReviewState> = {
  0: 'published',
  2: 'published',
  4: 'disabled',
  6: 'under-review',
  7: 'refused',
};

/** Applies to all documents or to none. The owners read the reason. */
export async function reviewDocuments(
  ctx: UserContext,
  { id: ids, status, reason }: ParsedInputOf<typeof manageDocumentApi.check>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const before = await applyReviewDecision(ctx, ids, status, reason);
    await recordAudit(ctx, {
      action: '文档审核',
      target: auditTarget(
        '文档',
        before.map(({ id, title }) => ({ id, name: title })),
      ),
      before: { status: before.map((row) => documentStatuses[row.status]).join('、') },
      after: { status: reviewDecisions[status], ...(reason && { reason }) },
    });
  });
  return {};
}

/** Must run in a transaction. Returns the rows before the change. */
export async function applyReviewDecision(
  ctx: Context,
  ids: number[],
  decision: ReviewDecision,
  reason: string,
): Promise<DocumentRow[]> {
  if (decision === documentStatus.refused && reason === '') throw documentErrors.reasonRequired();
  await lockCategoryTreeShared(ctx);
  const isApproved = decidedStates[decision] === 'published';
  const renditionIdOf = isApproved ? await registerMissingRenditions(ctx, ids) : new Map<number, number>();
  const renditions = await lockRenditions(ctx, [...renditionIdOf.values()]);
  const rowsBefore = await lockExistingDocuments(ctx, ids);
  await lockOwnerBalances(ctx, rowsBefore);
  // An approval applies only to documents under review; disabled ones stay disabled.
  const rows = decision === APPROVE_REVIEW ? rowsBefore.filter(isInReview) : rowsBefore;
  await notifyOwners(ctx, rows, decision, reason);
  if (!isApproved) {
    await ctx.db
      .update(documents)
      .set({
        review_state: decidedStates[decision],
        reject_reason: decision === documentStatus.underReview ? '' : reason,
      })
      .where(inArray(documents.id, ids));
    await recordDocumentEvents(ctx, 'reviewed', ids);
    return rowsBefore;
  }
  const next = rows.map(({ id }) => {
    const rendition = renditions.get(renditionIdOf.get(id) ?? 0);
    if (!rendition) throw documentErrors.notFound();
    return { id, rendition };
  });
  await updatePublishedRows(ctx, next);
  await recordDocumentEvents(
    ctx,
    'reviewed',
    next.map(({ id }) => id),
  );
  for (const row of rows.filter(({ published_at }) => published_at === null)) await recordFirstPublication(ctx, row);
  return rowsBefore;
}

const isInReview = ({ review_state }: DocumentRow) => review_state === 'under-review' || review_state === 'refused';

const outcomes: Partial<Record<ReviewDecision, string>> = {
  0: '已通过审核',
  2: '已重新启用',
  4: '已被禁用',
  7: '没有通过审核',
};

/** One notification per decision that changes something. */
async function notifyOwners(
  ctx: Context,
  rows: DocumentRow[],
  decision: ReviewDecision,
  reason: string,
): Promise<void> {
  const outcome = outcomes[decision];
  if (outcome === undefined) return;
  const changedRows = rows.filter(({ review_state }) => review_state !== decidedStates[decision]);
  for (const { id, title, user_id } of changedRows)
    await notify(ctx, {
      userId: user_id,
      actorId: null,
      kind: 'review',
      key: `document-review:${id}:${crypto.randomUUID()}`,
      payload: { document: { id, title }, decision: outcome, reason },
    });
}

/** Rendition id per document, registered now if missing. A banned file fails the whole request. */
async function registerMissingRenditions(ctx: Context, ids: number[]): Promise<Map<number, number>> {
  const files = await lockDocumentAttachments(ctx, ids);
  const bannedFile = files.find(({ enable }) => !enable);
  if (bannedFile) throw documentErrors.illegalFile(`“${bannedFile.name}”已被标记为非法文件`);
  const fileOf = new Map(files.map((file) => [file.type_id, file]));
  const rows = await ctx.db
    .select({
      id: documents.id,
      user_id: documents.user_id,
      rendition_id: documents.rendition_id,
      format: documents.format,
    })
    .from(documents)
    .where(inArray(documents.id, ids));
  const renditionIds = new Map<number, number>();
  const byHash = (a: { id: number }, b: { id: number }) =>
    (fileOf.get(a.id)?.hash ?? '') < (fileOf.get(b.id)?.hash ?? '') ? -1 : 1;
  for (const { id, user_id: userId, rendition_id, format } of rows.sort(byHash)) {
    const file = fileOf.get(id);
    if (rendition_id !== null) renditionIds.set(id, rendition_id);
    else if (file) {
      const { hash, size } = file;
      renditionIds.set(id, (await registerRendition(ctx, { hash, size, format, userId })).id);
    }
  }
  return renditionIds;
}

type PublishedRow = { id: number; rendition: RenditionRow };

/** A single statement, so that triggers update the counts of users and categories in one order. */
const updatePublishedRows = (ctx: Context, rows: PublishedRow[]) =>
  ctx.db.execute(sql`
    update ${documents} set
      rendition_id = next.rendition_id, review_state = 'published', conversion_state = next.conversion_state,
      reject_reason = '', updated_at = now(), extracted_summary = next.summary,
      description = case when ${documents.description} = ${documents.extracted_summary} then next.summary
        else ${documents.description} end,
      language = case when ${documents.language} = '' then next.language
        else ${documents.language} end
    from unnest(
      ${sql.param(rows.map(({ id }) => id))}::bigint[],
      ${sql.param(rows.map(({ rendition }) => rendition.id))}::bigint[],
      ${sql.param(rows.map(({ rendition }) => conversionStateOf(rendition)))}::text[],
      ${sql.param(rows.map(({ rendition }) => rendition.summary))}::text[],
      ${sql.param(rows.map(({ rendition }) => rendition.language))}::text[]
    ) next (id, rendition_id, conversion_state, summary, language)
    where ${documents.id} = next.id`);
