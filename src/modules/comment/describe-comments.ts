import { eq, inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import type { Comment } from './comment.contract.ts';
import { type CommentRow, comments } from './comment.table.ts';

const MINUTE_MS = 60_000;

/** Those who manage comments see all of them. */
export const seesAllComments = (ctx: Context): boolean => hasPermission(ctx, 'CommentAPI/ListComment');

/** Whether its author may still change it. */
export async function isStillEditable(ctx: Context, row: CommentRow): Promise<boolean> {
  const { comment_edit_minutes } = (await getSettings(ctx)).security;
  const end = new Date(row.created_at).getTime() + comment_edit_minutes * MINUTE_MS;
  return row.user_id === ctx.user?.id && row.deleted_at === null && ctx.now().getTime() < end;
}

/** Rows as the caller may see them, with who wrote them and whom they answer. */
export async function describeComments(
  ctx: Context,
  rows: CommentRow[],
  { withTitle = false } = {},
): Promise<Comment[]> {
  if (rows.length === 0) return [];
  const people = await peopleOf(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  const answered = await answeredBy(ctx, rows);
  const titles = withTitle ? await titlesOf(ctx, rows) : new Map<number, Titled>();
  return Promise.all(
    rows.map(async (row) => {
      const isInside = seesAllComments(ctx) || row.user_id === ctx.user?.id;
      const titled = titles.get(row.document_id);
      return {
        ...row,
        parent_id: row.parent_id ?? 0,
        root_id: row.root_id ?? 0,
        reject_reason: isInside ? row.reject_reason : '',
        is_edited: row.edited_at !== null && row.deleted_at === null,
        is_deleted: row.deleted_at !== null,
        is_editable: await isStillEditable(ctx, row),
        user: people.get(row.user_id) ?? nobody,
        reply_to: answered.get(row.parent_id ?? 0) ?? nobody,
        document_title: titled?.title ?? '',
        document_uuid: titled?.uuid ?? '',
      };
    }),
  );
}

const nobody = { id: 0, username: '', avatar: '' };

async function peopleOf(ctx: Context, ids: number[]) {
  const rows = await ctx.db
    .select({ id: users.id, username: users.username, avatar: users.avatar })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Who wrote what is answered; of the first of a conversation everybody knows. */
async function answeredBy(ctx: Context, rows: CommentRow[]) {
  const ids = rows.flatMap(({ parent_id, root_id }) =>
    parent_id !== null && parent_id !== root_id ? [parent_id] : [],
  );
  if (ids.length === 0) return new Map<number, { id: number; username: string }>();
  const found = await ctx.db
    .select({ of: comments.id, id: users.id, username: users.username })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.user_id))
    .where(inArray(comments.id, ids));
  return new Map(found.map(({ of, ...user }) => [of, user]));
}

type Titled = { id: number; title: string; uuid: string };
async function titlesOf(ctx: Context, rows: CommentRow[]): Promise<Map<number, Titled>> {
  const found = await ctx.db
    .select({ id: documents.id, title: documents.title, uuid: documents.uuid })
    .from(documents)
    .where(
      inArray(
        documents.id,
        rows.map(({ document_id }) => document_id),
      ),
    );
  return new Map(found.map((row) => [row.id, row]));
}
