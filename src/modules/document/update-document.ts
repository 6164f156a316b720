import { eq } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { hasPermission, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type documentApi, documentErrors, documentStatus } from './document.contract.ts';
import { type DocumentRow, documentCategories, documents } from './document.table.ts';
import { addCategoryAncestors, replaceCategories } from './document-categories.ts';
import { recordDocumentEvents } from './document-events.ts';
import { extractTitleKeywords } from './extract-title-keywords.ts';
import { lockManageableDocuments, UPDATE_PERMISSION } from './lock-documents.ts';
import type { ReviewDecision } from './manage.contract.ts';
import { applyReviewDecision } from './review-documents.ts';
import { includesStatus, publishedStatuses, unpublishedStatuses } from './status-groups.contract.ts';

type Input = ParsedInputOf<typeof documentApi.update>;
type Change = Omit<Input, 'id' | 'status' | 'category_id'>;

const ENABLE_DECISION = 2;
const isPublished = (status: number) => includesStatus(publishedStatuses, status);
const textFields = ['title', 'keywords', 'description'] as const;

/** Updates the given fields. Requires ownership or the permission. */
export async function updateDocument(ctx: UserContext, input: Input) {
  const { id, status, category_id, ...change } = input;
  if (change.title && change.keywords === '') change.keywords = await extractTitleKeywords(change.title);
  await inRetriedTransaction(ctx, async (ctx) => {
    const rowBeforeDecision = await applyRequestedStatus(ctx, input);
    await lockCategoryTreeShared(ctx);
    const [before] = await lockManageableDocuments(ctx, UPDATE_PERMISSION, [id]);
    if (!before) throw documentErrors.notFound();
    const changesWatermark = change.watermark !== undefined && change.watermark !== before.watermark;
    if (changesWatermark && !hasPermission(ctx, UPDATE_PERMISSION))
      throw documentErrors.forbidden('您不能修改文档的阅读水印');
    const isOwnerWithoutPermission = before.user_id === ctx.user.id && !hasPermission(ctx, UPDATE_PERMISSION);
    const review = isOwnerWithoutPermission && (await needsReview(ctx, before, change));
    const { visibility, ...rest } = change;
    const [after] = await ctx.db
      .update(documents)
      .set({
        ...rest,
        ...(visibility !== undefined && { visibility: visibility as DocumentRow['visibility'] }),
        ...(review && { review_state: 'under-review' as const, reject_reason: '' }),
        updated_at: ctx.now().toISOString(),
      })
      .where(eq(documents.id, id))
      .returning();
    await recordDocumentEvents(ctx, hasTextChange(before, change) ? 'text-changed' : 'changed', [id]);
    if (review) await recordDocumentEvents(ctx, 'reviewed', [id]);
    if (category_id) await moveToCategories(ctx, id, category_id);
    if (before.user_id !== ctx.user.id || rowBeforeDecision)
      await recordAudit(ctx, {
        action: '更新文档',
        target: auditTarget('文档', [{ id, name: before.title }]),
        before: withoutStates(rowBeforeDecision ?? before),
        after: { ...withoutStates(after ?? before), ...(category_id && { category_id }) },
      });
  });
  return {};
}

/**
 * The admin form sends the status as it was when the form was opened. Conversion statuses are neither set nor reverted,
 * because conversion may have continued since.
 */
async function applyRequestedStatus(ctx: UserContext, { id, status }: Input): Promise<DocumentRow | null> {
  if (status === undefined) return null;
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  if (!row || row.status === status) return null;
  if (isPublished(row.status) && isPublished(status)) return null;
  if (!hasPermission(ctx, UPDATE_PERMISSION)) throw documentErrors.forbidden('您不能修改文档的状态');
  if (!includesStatus([documentStatus.waiting, ...unpublishedStatuses], status)) throw documentErrors.wrongStatus();
  const reason = status === documentStatus.refused ? row.reject_reason || '请修改后重新提交' : '';
  // Re-enabling a disabled document is not a review decision.
  const decision = status === 0 && row.status === documentStatus.disabled ? ENABLE_DECISION : status;
  await applyReviewDecision(ctx, [id], decision as ReviewDecision, reason);
  return row;
}

/** Changed texts of refused documents, or of users under review, need a new review. */
async function needsReview(ctx: UserContext, before: DocumentRow, change: Change) {
  if (before.review_state === 'refused') return true;
  if (before.review_state !== 'published') return false;
  return hasTextChange(before, change) && (await rightsOfUser(ctx)).uploadNeedsReview;
}

/** The audit log shows the status. */
const withoutStates = ({ review_state, conversion_state, extracted_summary, ...fields }: DocumentRow) => fields;

const hasTextChange = (before: DocumentRow, change: Change) =>
  textFields.some((field) => (change[field] ?? before[field]) !== before[field]);

async function moveToCategories(ctx: UserContext, id: number, categoryIds: number[]): Promise<void> {
  const currentLinks = await ctx.db
    .select({ id: documentCategories.category_id })
    .from(documentCategories)
    .where(eq(documentCategories.document_id, id));
  const currentIds = currentLinks.map((each) => each.id);
  await replaceCategories(ctx, [id], await addCategoryAncestors(ctx, categoryIds, currentIds));
}
