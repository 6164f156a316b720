import { inArray } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import { awardDaily } from '#modules/credit/award-daily.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { notify } from '#modules/notification/notify.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { type CommentRow, comments } from './comment.table.ts';

const EXCERPT = 60;

/** Its beginning, in one line. */
export function excerptOf(content: string): string {
  const letters = [...content.replace(/\s+/g, ' ').trim()];
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join('')}…` : letters.join('');
}

/** Names a comment among all that people are told of. */
export const keyOf = ({ id }: Pick<CommentRow, 'id'>): string => `comment:${id}`;

/**
 * Comments that everybody can read from now on: whom it concerns is told, and the first time authors of
 * the documents are rewarded for the first ones of a day. With documents and people locked.
 */
export async function publishComments(
  ctx: Context,
  rows: CommentRow[],
  documents: Map<number, DocumentRow>,
): Promise<void> {
  const first = rows.filter(({ published_at }) => published_at === null);
  if (first.length > 0)
    await ctx.db
      .update(comments)
      .set({ published_at: ctx.now().toISOString() })
      .where(
        inArray(
          comments.id,
          first.map(({ id }) => id),
        ),
      );
  const answered = await authorsOf(
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
      await reward(ctx, row, document);
    }
    await tell(ctx, row, document, answered.get(row.parent_id ?? 0));
  }
}

async function authorsOf(ctx: Context, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({ id: comments.id, user_id: comments.user_id })
    .from(comments)
    .where(inArray(comments.id, ids));
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

/** Never for one's own, and once for each comment. */
async function reward(ctx: Context, row: CommentRow, document: DocumentRow): Promise<void> {
  if (document.user_id === row.user_id) return;
  const { score } = await getSettings(ctx);
  const award = await awardDaily(ctx, document.user_id, score.document_commented, {
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

/** Each person once: as the one who is answered, else as the author, else as somebody named. */
async function tell(
  ctx: Context,
  row: CommentRow,
  { id, title, user_id: author }: DocumentRow,
  answered: number | undefined,
): Promise<void> {
  const common = {
    actorId: row.user_id,
    key: keyOf(row),
    payload: { document: { id, title }, comment_id: row.id, excerpt: excerptOf(row.content) },
  };
  if (answered !== undefined) await notify(ctx, { ...common, userId: answered, kind: 'reply' });
  await notify(ctx, { ...common, userId: author, kind: 'comment' });
  await notifyMentionedUsers(ctx, row, { id, title });
}

/** Those who are named; also when they are named only later, by a change. */
export async function notifyMentionedUsers(
  ctx: Context,
  row: Pick<CommentRow, 'id' | 'user_id' | 'content' | 'mention'>,
  document: { id: number; title: string },
): Promise<void> {
  const { id, title } = document;
  for (const { id: userId } of row.mention)
    await notify(ctx, {
      actorId: row.user_id,
      key: keyOf(row),
      userId,
      kind: 'mention',
      payload: { document: { id, title }, comment_id: row.id, excerpt: excerptOf(row.content) },
    });
}
