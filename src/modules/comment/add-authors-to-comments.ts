import { eq, inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import type { Comment } from './comment.contract.ts';
import { type CommentRow, comments } from './comment.table.ts';

const MINUTE_MS = 60_000;

/** Comment managers see comments of every status. */
export const seesAllComments = (ctx: Context): boolean => hasPermission(ctx, 'CommentAPI/ListComment');

/** Whether the caller is the author and the edit period has not ended. */
export async function isEditableByCaller(ctx: Context, row: CommentRow): Promise<boolean> {
  const { comment_edit_minutes } = (await getSettings(ctx)).security;
  const end = new Date(row.created_at).getTime() + comment_edit_minutes * MINUTE_MS;
  return row.user_id === ctx.user?.id && row.deleted_at === null && ctx.now().getTime() < end;
}

/** Comments as the caller may see them, with their authors and the users they reply to. */
export async function addAuthorsToComments(
  ctx: Context,
  rows: CommentRow[],
  { withTitle = false } = {},
): Promise<Comment[]> {
  if (rows.length === 0) return [];
  const authors = await usersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  const parentAuthors = await parentAuthorsOf(ctx, rows);
  const documentsById = withTitle ? await documentTitles(ctx, rows) : new Map<number, DocumentTitle>();
  return Promise.all(
    rows.map(async (row) => {
      const maySeeReason = seesAllComments(ctx) || row.user_id === ctx.user?.id;
      const document = documentsById.get(row.document_id);
      return {
        ...row,
        parent_id: row.parent_id ?? 0,
        root_id: row.root_id ?? 0,
        reject_reason: maySeeReason ? row.reject_reason : '',
        is_edited: row.edited_at !== null && row.deleted_at === null,
        is_deleted: row.deleted_at !== null,
        is_editable: await isEditableByCaller(ctx, row),
        user: authors.get(row.user_id) ?? UNKNOWN_USER,
        reply_to: parentAuthors.get(row.parent_id ?? 0) ?? UNKNOWN_USER,
        document_title: document?.title ?? '',
        document_uuid: document?.uuid ?? '',
      };
    }),
  );
}

const UNKNOWN_USER = { id: 0, username: '', avatar: '' };

async function usersById(ctx: Context, ids: number[]) {
  const rows = await ctx.db
    .select({ id: users.id, username: users.username, avatar: users.avatar })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Authors of the parents by comment id, except for parents that are top-level comments. */
async function parentAuthorsOf(ctx: Context, rows: CommentRow[]) {
  const ids = rows.flatMap(({ parent_id, root_id }) =>
    parent_id !== null && parent_id !== root_id ? [parent_id] : [],
  );
  if (ids.length === 0) return new Map<number, { id: number; username: string }>();
  const authorRows = await ctx.db
    .select({ commentId: comments.id, id: users.id, username: users.username })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.user_id))
    .where(inArray(comments.id, ids));
  return new Map(authorRows.map(({ commentId, ...user }) => [commentId, user]));
}

type DocumentTitle = { id: number; title: string; uuid: string };
async function documentTitles(ctx: Context, rows: CommentRow[]): Promise<Map<number, DocumentTitle>> {
  const documentRows = await ctx.db
    .select({ id: documents.id, title: documents.title, uuid: documents.uuid })
    .from(documents)
    .where(
      inArray(
        documents.id,
        rows.map(({ document_id }) => document_id),
      ),
    );
  return new Map(documentRows.map((row) => [row.id, row]));
}
