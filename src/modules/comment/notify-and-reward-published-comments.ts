import { inArray } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import { awardCreditWithDailyLimit } from '#modules/credit/award-credit-with-daily-limit.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { notify } from '#modules/notification/notify.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { type CommentRow, comments } from './comment.table.ts';

const EXCERPT_LENGTH = 60;

export function excerptOf(content: string): string {
  const letters = [...content.replace(/\s+/g, ' ').trim()];
  return letters.length > EXCERPT_LENGTH ? `${letters.slice(0, EXCERPT_LENGTH).join('')}…` : letters.join('');
}

export const notificationKeyOf = ({ id }: Pick<CommentRow, 'id'>): string => `comment:${id}`;

/**
 * Notifies the users concerned by comments that became public. At the first publication the author of the document
 * is rewarded, up to a daily limit. The caller holds the locks on documents and users.
 */
export async function notifyAndRewardPublishedComments(
  ctx: Context,
  rows: CommentRow[],
  documents: Map<number, DocumentRow>,
): Promise<void> {
  const firstPublished = rows.filter(({ published_at }) => published_at === null);
  if (firstPublished.length > 0)
    await ctx.db
      .update(comments)
      .set({ published_at: ctx.now().toISOString() })
      .where(
        inArray(
          comments.id,
          firstPublished.map(({ id }) => id),
        ),
      );
  const parentAuthors = await readCommentAuthorIds(
    ctx,
    rows.flatMap(({ parent_id }) => parent_id ?? []),
  );
  for (const row of rows) {
    const document = documents.get(row.document_id);
    if (!document) continue;
    if (row.published_at === null) {
      await recordActivity(ctx, {
        userId: row.user_id,
        type: 'comment',
        payload: { document: { id: document.id, title: document.title } },
      });
      await rewardDocumentAuthor(ctx, row, document);
    }
    await notifyUsers(ctx, row, document, parentAuthors.get(row.parent_id ?? 0));
  }
}

async function readCommentAuthorIds(ctx: Context, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({ id: comments.id, user_id: comments.user_id })
    .from(comments)
    .where(inArray(comments.id, ids));
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

/** Rewards each comment once. Comments on the commenter's own document are not rewarded. */
async function rewardDocumentAuthor(ctx: Context, row: CommentRow, document: DocumentRow): Promise<void> {
  if (document.user_id === row.user_id) return;
  const { score } = await getSettings(ctx);
  const award = await awardCreditWithDailyLimit(ctx, document.user_id, score.document_commented, {
    limit: score.document_commented_limit,
    key: `comment:${row.id}`,
    reason: 'document_commented',
    reference: `document:${document.id}`,
    note: document.title,
  });
  if (award > 0)
    await recordActivity(ctx, {
      userId: document.user_id,
      type: 'comment',
      payload: { document: { id: document.id, title: document.title }, received: true, award },
    });
}

/** `notify` accepts one notification per user and key, so the order sets the precedence: reply, comment, mention. */
async function notifyUsers(
  ctx: Context,
  row: CommentRow,
  { id, title, user_id: author }: DocumentRow,
  parentAuthorId: number | undefined,
): Promise<void> {
  const common = {
    actorId: row.user_id,
    key: notificationKeyOf(row),
    payload: { document: { id, title }, comment_id: row.id, excerpt: excerptOf(row.content) },
  };
  if (parentAuthorId !== undefined) await notify(ctx, { ...common, userId: parentAuthorId, kind: 'reply' });
  await notify(ctx, { ...common, userId: author, kind: 'comment' });
  await notifyMentionedUsers(ctx, row, { id, title });
}

/** Also called after an edit, which may mention further users. */
export async function notifyMentionedUsers(
  ctx: Context,
  row: Pick<CommentRow, 'id' | 'user_id' | 'content' | 'mention'>,
  document: { id: number; title: string },
): Promise<void> {
  const { id, title } = document;
  for (const { id: userId } of row.mention)
    await notify(ctx, {
      actorId: row.user_id,
      key: notificationKeyOf(row),
      userId,
      kind: 'mention',
      payload: { document: { id, title }, comment_id: row.id, excerpt: excerptOf(row.content) },
    });
}
