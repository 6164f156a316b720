import { inArray } from 'drizzle-orm';
import { lockUserRows } from '#modules/account/lock-users.ts';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { lockDocuments } from '#modules/document/lock-documents.ts';
import { notify } from '#modules/notification/notify.ts';
import { retractNotifications, updateExcerpt } from '#modules/notification/retract-notifications.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, hasPermission, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { isEditableByCaller } from './add-authors-to-comments.ts';
import { type CommentStatus, type commentApi, commentErrors, commentStatuses } from './comment.contract.ts';
import { type CommentRow, comments } from './comment.table.ts';
import { decideInitialStatus } from './create-comment.ts';
import { findMentions } from './find-mentions.ts';
import {
  excerptOf,
  notificationKeyOf,
  notifyAndRewardPublishedComments,
  notifyMentionedUsers,
} from './notify-and-reward-published-comments.ts';

type LockedComments = { rows: CommentRow[]; documents: Map<number, DocumentRow> };

/** Locks documents, users and comments in the global lock order. Throws unless all comments exist. */
async function lockComments(ctx: Context, ids: number[]): Promise<LockedComments> {
  const unlockedRows = await ctx.db.select().from(comments).where(inArray(comments.id, ids));
  const documents = await lockDocuments(
    ctx,
    unlockedRows.map(({ document_id }) => document_id),
  );
  await lockUserRows(ctx, [...unlockedRows.map(({ user_id }) => user_id), ...documents.map(({ user_id }) => user_id)]);
  const lockedRows = await ctx.db
    .select()
    .from(comments)
    .where(inArray(comments.id, ids))
    .orderBy(comments.id)
    .for('no key update');
  const rows = lockedRows.filter(({ deleted_at }) => deleted_at === null);
  if (rows.length < new Set(ids).size) throw commentErrors.notFound();
  return { rows, documents: new Map(documents.map((row) => [row.id, row])) };
}

const commentAuditTargets = (rows: CommentRow[]) => rows.map(({ id, content }) => ({ id, name: excerptOf(content) }));

/** Sets the status of all given comments, or of none if one is missing. */
export async function reviewComments(
  ctx: UserContext,
  { id: ids, status, reason }: ParsedInputOf<typeof commentApi.check>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const lockedComments = await lockComments(ctx, ids);
    await applyCommentReview(ctx, lockedComments, status, reason);
    const { rows } = lockedComments;
    await recordAudit(ctx, {
      action: '批量审核评论',
      target: auditTarget('评论', commentAuditTargets(rows)),
      before: { status: rows.map((row) => commentStatuses[row.status]).join('、') },
      after: { status: commentStatuses[status], ...(reason && { reason }) },
    });
  });
  return {};
}

async function applyCommentReview(
  ctx: UserContext,
  { rows, documents }: LockedComments,
  status: CommentStatus,
  reason: string,
): Promise<void> {
  const changedRows = rows.filter((row) => row.status !== status);
  if (changedRows.length === 0) return;
  await ctx.db
    .update(comments)
    .set({ status, reject_reason: status === 2 ? reason : '' })
    .where(
      inArray(
        comments.id,
        changedRows.map(({ id }) => id),
      ),
    );
  if (status === 1) await notifyAndRewardPublishedComments(ctx, changedRows, documents);
  else await retractNotifications(ctx, changedRows.map(notificationKeyOf));
  if (status !== 0) for (const row of changedRows) await notifyAuthor(ctx, row, documents, status, reason);
}

async function notifyAuthor(
  ctx: UserContext,
  row: CommentRow,
  documents: LockedComments['documents'],
  status: 1 | 2,
  reason: string,
): Promise<void> {
  const document = documents.get(row.document_id);
  if (!document) return;
  await notify(ctx, {
    userId: row.user_id,
    actorId: null,
    kind: 'review',
    // A unique key, because each decision is a separate notification.
    key: `comment-review:${row.id}:${crypto.randomUUID()}`,
    payload: {
      document: { id: document.id, title: document.title },
      excerpt: excerptOf(row.content),
      decision: status === 1 ? '已通过审核' : '没有通过审核',
      reason: status === 2 ? reason : '',
    },
  });
}

/** Authors may edit their text for some minutes; comment managers may edit any text and the status. */
export async function updateComment(
  ctx: UserContext,
  { id, content, status }: ParsedInputOf<typeof commentApi.update>,
) {
  return inRetriedTransaction(ctx, async (ctx) => {
    const lockedComments = await lockComments(ctx, [id]);
    const [row] = lockedComments.rows;
    if (!row) throw commentErrors.notFound();
    const isManager = hasPermission(ctx, 'CommentAPI/UpdateComment');
    const isAuthor = row.user_id === ctx.user.id;
    if (!isManager && !isAuthor) throw commentErrors.notYours();
    const isTextChanged = content !== undefined && content !== row.content;
    if (isTextChanged && !isManager) await assertEditable(ctx, row);
    const current = isTextChanged ? await updateText(ctx, lockedComments, row, content) : row;
    const newStatus = isManager ? status : undefined;
    if (newStatus !== undefined) await applyCommentReview(ctx, { ...lockedComments, rows: [current] }, newStatus, '');
    if (isManager && !isAuthor)
      await recordAudit(ctx, {
        action: '更新评论',
        target: auditTarget('评论', commentAuditTargets([row])),
        before: { content: row.content, status: commentStatuses[row.status] },
        after: {
          content: content ?? row.content,
          status: commentStatuses[status ?? row.status],
        },
      });
    return { status: newStatus ?? current.status };
  });
}

async function assertEditable(ctx: UserContext, row: CommentRow): Promise<void> {
  if (!(await isEditableByCaller(ctx, row))) throw commentErrors.tooLate();
  if (!(await rightsOfUser(ctx)).mayComment) throw commentErrors.notAllowed();
}

/** A changed text is checked again, unless a comment manager changed it. */
async function updateText(
  ctx: UserContext,
  { documents }: LockedComments,
  row: CommentRow,
  content: string,
): Promise<CommentRow> {
  const needsCheck = !hasPermission(ctx, 'CommentAPI/UpdateComment');
  const checkedStatus = needsCheck ? await decideInitialStatus(ctx, content) : row.status;
  const status: CommentStatus = row.status === 1 ? checkedStatus : needsCheck ? 0 : row.status;
  const mention = await findMentions(ctx, content);
  await ctx.db
    .update(comments)
    .set({ content, mention, status, edited_at: ctx.now().toISOString() })
    .where(inArray(comments.id, [row.id]));
  const updatedRow = { ...row, content, mention, status };
  const document = documents.get(row.document_id);
  if (status !== 1) await retractNotifications(ctx, [notificationKeyOf(row)]);
  else if (document) {
    await updateExcerpt(ctx, notificationKeyOf(row), excerptOf(content));
    await notifyMentionedUsers(ctx, updatedRow, document);
  }
  return updatedRow;
}

/** Clears the text. Lists still show a deleted comment that has replies. */
export async function removeComments(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const { rows } = await lockComments(ctx, ids);
    const commentsOfOthers = rows.filter(({ user_id }) => user_id !== ctx.user.id);
    if (commentsOfOthers.length > 0 && !hasPermission(ctx, 'CommentAPI/DeleteComment')) throw commentErrors.notYours();
    await ctx.db
      .update(comments)
      .set({ content: '', mention: [], deleted_at: ctx.now().toISOString() })
      .where(inArray(comments.id, ids));
    await retractNotifications(ctx, rows.map(notificationKeyOf));
    if (commentsOfOthers.length > 0)
      await recordRemoval(
        ctx,
        { action: '删除评论', kind: '评论', ids: commentsOfOthers.map(({ id }) => id) },
        commentsOfOthers.map(({ id, content, user_id }) => ({
          id,
          name: excerptOf(content),
          values: { content, user_id },
        })),
      );
  });
  return {};
}
