import { inArray } from 'drizzle-orm';
import { lockUserRows } from '#modules/account/lock-users.ts';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { lockDocuments } from '#modules/document/lock-documents.ts';
import { notify } from '#modules/notification/notify.ts';
import { retractNotifications, updateExcerpt } from '#modules/notification/retract-notifications.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, can, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type CommentStatus, type commentApi, commentErrors, commentStatuses } from './comment.contract.ts';
import { type CommentRow, comments } from './comment.table.ts';
import { statusFor } from './create-comment.ts';
import { isStillEditable } from './describe-comments.ts';
import { findMentions } from './find-mentions.ts';
import { excerptOf, keyOf, notifyMentionedUsers, publishComments } from './publish-comments.ts';

type Locked = { rows: CommentRow[]; documents: Map<number, DocumentRow> };

/** Comments to be changed with all their change touches, in the one order of locks. All or none. */
async function lockComments(ctx: Context, ids: number[]): Promise<Locked> {
  const named = await ctx.db.select().from(comments).where(inArray(comments.id, ids));
  const documents = await lockDocuments(
    ctx,
    named.map(({ document_id }) => document_id),
  );
  await lockUserRows(ctx, [...named.map(({ user_id }) => user_id), ...documents.map(({ user_id }) => user_id)]);
  const found = await ctx.db
    .select()
    .from(comments)
    .where(inArray(comments.id, ids))
    .orderBy(comments.id)
    .for('no key update');
  const rows = found.filter(({ deleted_at }) => deleted_at === null);
  if (rows.length < new Set(ids).size) throw commentErrors.notFound();
  return { rows, documents: new Map(documents.map((row) => [row.id, row])) };
}

const targetsOf = (rows: CommentRow[]) => rows.map(({ id, content }) => ({ id, name: excerptOf(content) }));

/** Decides on comments: all of them or none. */
export async function checkComments(
  ctx: UserContext,
  { id: ids, status, reason }: ParsedInputOf<typeof commentApi.check>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const locked = await lockComments(ctx, ids);
    await decide(ctx, locked, status, reason);
    const { rows } = locked;
    await recordAudit(ctx, {
      action: '批量审核评论',
      target: auditTarget('评论', targetsOf(rows)),
      before: { status: rows.map((row) => commentStatuses[row.status]).join('、') },
      after: { status: commentStatuses[status], ...(reason && { reason }) },
    });
  });
  return {};
}

async function decide(
  ctx: UserContext,
  { rows, documents }: Locked,
  status: CommentStatus,
  reason: string,
): Promise<void> {
  const changed = rows.filter((row) => row.status !== status);
  if (changed.length === 0) return;
  await ctx.db
    .update(comments)
    .set({ status, reject_reason: status === 2 ? reason : '' })
    .where(
      inArray(
        comments.id,
        changed.map(({ id }) => id),
      ),
    );
  if (status === 1) await publishComments(ctx, changed, documents);
  else await retractNotifications(ctx, changed.map(keyOf));
  if (status !== 0) for (const row of changed) await tellAuthor(ctx, row, documents, status, reason);
}

async function tellAuthor(
  ctx: UserContext,
  row: CommentRow,
  documents: Locked['documents'],
  status: 1 | 2,
  reason: string,
): Promise<void> {
  const document = documents.get(row.document_id);
  if (!document) return;
  await notify(ctx, {
    userId: row.user_id,
    actorId: null,
    kind: 'review',
    // Each decision is one of its own.
    key: `comment-review:${row.id}:${crypto.randomUUID()}`,
    payload: {
      document: { id: document.id, title: document.title },
      excerpt: excerptOf(row.content),
      decision: status === 1 ? '已通过审核' : '没有通过审核',
      reason: status === 2 ? reason : '',
    },
  });
}

/** The own text within some minutes; with the permission any text, and the state. */
export async function updateComment(
  ctx: UserContext,
  { id, content, status }: ParsedInputOf<typeof commentApi.update>,
) {
  return inRetriedTransaction(ctx, async (ctx) => {
    const locked = await lockComments(ctx, [id]);
    const [row] = locked.rows;
    if (!row) throw commentErrors.notFound();
    const isManager = can(ctx, 'CommentAPI/UpdateComment');
    const isOwn = row.user_id === ctx.user.id;
    if (!isManager && !isOwn) throw commentErrors.notYours();
    const isOther = content !== undefined && content !== row.content;
    if (isOther && !isManager) await refuseChange(ctx, row);
    const current = isOther ? await rewrite(ctx, locked, row, content) : row;
    const decided = isManager ? status : undefined;
    if (decided !== undefined) await decide(ctx, { ...locked, rows: [current] }, decided, '');
    if (isManager && !isOwn)
      await recordAudit(ctx, {
        action: '更新评论',
        target: auditTarget('评论', targetsOf([row])),
        before: { content: row.content, status: commentStatuses[row.status] },
        after: {
          content: content ?? row.content,
          status: commentStatuses[status ?? row.status],
        },
      });
    return { status: decided ?? current.status };
  });
}

async function refuseChange(ctx: UserContext, row: CommentRow): Promise<void> {
  if (!(await isStillEditable(ctx, row))) throw commentErrors.tooLate();
  if (!(await rightsOfUser(ctx)).mayComment) throw commentErrors.notAllowed();
}

/** Another text is judged anew, unless somebody who manages comments wrote it. */
async function rewrite(ctx: UserContext, { documents }: Locked, row: CommentRow, content: string): Promise<CommentRow> {
  const isJudged = !can(ctx, 'CommentAPI/UpdateComment');
  const judged = isJudged ? await statusFor(ctx, content) : row.status;
  const status: CommentStatus = row.status === 1 ? judged : isJudged ? 0 : row.status;
  const mention = await findMentions(ctx, content);
  await ctx.db
    .update(comments)
    .set({ content, mention, status, edited_at: ctx.now().toISOString() })
    .where(inArray(comments.id, [row.id]));
  const written = { ...row, content, mention, status };
  const document = documents.get(row.document_id);
  if (status !== 1) await retractNotifications(ctx, [keyOf(row)]);
  else if (document) {
    await updateExcerpt(ctx, keyOf(row), excerptOf(content));
    await notifyMentionedUsers(ctx, written, document);
  }
  return written;
}

/** The place of one with answers stays; its words do not. */
export async function removeComments(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const { rows } = await lockComments(ctx, ids);
    const others = rows.filter(({ user_id }) => user_id !== ctx.user.id);
    if (others.length > 0 && !can(ctx, 'CommentAPI/DeleteComment')) throw commentErrors.notYours();
    await ctx.db
      .update(comments)
      .set({ content: '', mention: [], deleted_at: ctx.now().toISOString() })
      .where(inArray(comments.id, ids));
    await retractNotifications(ctx, rows.map(keyOf));
    if (others.length > 0)
      await recordRemoval(
        ctx,
        { action: '删除评论', kind: '评论', ids: others.map(({ id }) => id) },
        others.map(({ id, content, user_id }) => ({
          id,
          name: excerptOf(content),
          values: { content, user_id },
        })),
      );
  });
  return {};
}
