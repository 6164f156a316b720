import { and, desc, eq } from 'drizzle-orm';
import { lockUserRows } from '#modules/account/lock-users.ts';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { lockDocuments } from '#modules/document/lock-documents.ts';
import { canSee } from '#modules/document/visibility.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { addAuthorsToComments } from './add-authors-to-comments.ts';
import { type CommentStatus, type commentApi, commentErrors } from './comment.contract.ts';
import { comments } from './comment.table.ts';
import { findMentions } from './find-mentions.ts';
import { notifyAndRewardPublishedComments } from './notify-and-reward-published-comments.ts';
import { findSensitiveWord } from './sensitive-words.ts';

/** Status of a new text: published, or pending review. Throws if the site rejects sensitive words. */
export async function decideInitialStatus(ctx: UserContext, content: string): Promise<CommentStatus> {
  const { sensitive_words, sensitive_action } = (await getSettings(ctx)).security;
  const isSensitive = findSensitiveWord(content, sensitive_words) !== undefined;
  if (isSensitive && sensitive_action === 'refuse') throw commentErrors.sensitive();
  return isSensitive || (await rightsOfUser(ctx)).commentNeedsReview ? 0 : 1;
}

export async function createComment(
  ctx: UserContext,
  { document_id, parent_id, content, ...captcha }: ParsedInputOf<typeof commentApi.create>,
) {
  if (!(await rightsOfUser(ctx)).mayComment) throw commentErrors.notAllowed();
  await checkCaptcha(ctx, 'comment', captcha);
  const status = await decideInitialStatus(ctx, content);
  return insertComment(ctx, { document_id, parent_id, content, status });
}

/** Creates a comment without checking role, captcha and sensitive words, for demo data. */
export async function insertComment(
  ctx: UserContext,
  input: { document_id: number; parent_id: number; content: string; status: CommentStatus },
) {
  const { document_id, parent_id, content, status } = input;
  const mention = await findMentions(ctx, content);
  const row = await inRetriedTransaction(ctx, async (ctx) => {
    const [document] = await lockDocuments(ctx, [document_id]);
    if (!document || !canSee(ctx, document)) throw documentErrors.notFound();
    await lockUserRows(ctx, [ctx.user.id, document.user_id]);
    await assertCommentInterval(ctx);
    const [row] = await ctx.db
      .insert(comments)
      .values({
        document_id,
        content,
        mention,
        status,
        user_id: ctx.user.id,
        ...(parent_id > 0 ? await threadIdsOf(ctx, document_id, parent_id) : {}),
        ip: ctx.client.ip,
        created_at: ctx.now().toISOString(),
      })
      .returning();
    if (!row) throw new Error('the inserted comment was not returned');
    if (status === 1) await notifyAndRewardPublishedComments(ctx, [row], new Map([[document.id, document]]));
    return row;
  });
  const [comment] = await addAuthorsToComments(ctx, [row]);
  if (!comment) throw commentErrors.notFound();
  return comment;
}

/** Ids of the thread that a reply belongs to. The parent must be published. */
async function threadIdsOf(ctx: Context, documentId: number, parentId: number) {
  const [parent] = await ctx.db
    .select()
    .from(comments)
    .where(and(eq(comments.id, parentId), eq(comments.document_id, documentId)))
    .for('no key update');
  if (parent?.status !== 1 || parent.deleted_at !== null) throw commentErrors.notFound();
  return { parent_id: parent.id, root_id: parent.root_id ?? parent.id };
}

/** The caller holds the lock on the user, so that of concurrent comments only the first passes. Deleted ones count. */
async function assertCommentInterval(ctx: UserContext): Promise<void> {
  const { comment_interval } = (await getSettings(ctx)).security;
  if (comment_interval === 0) return;
  const [lastComment] = await ctx.db
    .select({ at: comments.created_at })
    .from(comments)
    .where(eq(comments.user_id, ctx.user.id))
    .orderBy(desc(comments.id))
    .limit(1);
  if (!lastComment) return;
  const allowedFrom = new Date(lastComment.at).getTime() + comment_interval * 1000;
  const waitSeconds = Math.ceil((allowedFrom - ctx.now().getTime()) / 1000);
  if (waitSeconds > 0) throw commentErrors.tooFast(`您的评论太快了，请等待 ${waitSeconds} 秒后再试`, waitSeconds);
}
