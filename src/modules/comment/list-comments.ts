import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { visibleTo } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { containsWords, countOrEstimate, orderByTerms } from '#platform/server/db/list-query.ts';
import {
  type Comment,
  type CommentStatus,
  type commentApi,
  commentErrors,
  commentStatuses,
  REPLIES_SHOWN,
} from './comment.contract.ts';
import { type CommentRow, comments } from './comment.table.ts';
import { describeComments, seesAllComments } from './describe-comments.ts';

/** Of what is found by words. */
export const MAX_LISTED_COMMENTS = 10_000;

/** Of a document whose comments are read without paging. */
const MAX_WHOLE_COMMENTS = 1_000;
const DEFAULT_SIZE = 10;

type Input = ParsedInputOf<typeof commentApi.list>;

const { id, status, user_id, document_id, comment_count } = comments;
/** They come one after the other, so the order of their numbers is that of their times. */
const orderColumns = { id, created_at: id };
/** Of one document there are not too many to be sorted. */
const orderOfDocument = { ...orderColumns, comment_count };

/** Approved ones, and the own in any state. */
const isReadable = (ctx: Context): SQL | undefined =>
  ctx.user ? or(eq(status, 1), eq(user_id, ctx.user.id)) : eq(status, 1);

/** Of what was deleted only the place of a conversation is left. */
const isThere = sql`(${comments.deleted_at} is null or (${comments.root_id} is null
  and ${comments.comment_count} > 0))`;

const inStatus = (asked: number[]): SQL => {
  const known = asked.filter((each) => Object.hasOwn(commentStatuses, each));
  return known.length > 0 ? inArray(status, known as CommentStatus[]) : sql`false`;
};

function inThread({ parent_id, root_id, thread_of }: Input): SQL | undefined {
  const parents = parent_id?.filter((each) => each > 0) ?? [];
  return and(
    root_id ? eq(comments.root_id, root_id) : undefined,
    thread_of
      ? sql`${id} = (select coalesce(it.root_id, it.id) from ${comments} it where it.id = ${thread_of})`
      : undefined,
    parent_id?.length
      ? or(
          parent_id.includes(0) ? isNull(comments.root_id) : undefined,
          parents.length > 0 ? inArray(comments.parent_id, parents) : undefined,
        )
      : undefined,
  );
}

/** A list of comments: of a document, of a conversation, of a person; for managers all there are. */
export async function listComments(ctx: Context, input: Input) {
  const isManager = seesAllComments(ctx);
  const isOwn = input.user_id !== undefined && input.user_id === ctx.user?.id;
  const isManaging = isManager && !input.with_reply && !input.root_id;
  if (input.document_id && !isManager) await refuseHidden(ctx, input.document_id);
  // Others are not asked for words: they read what there is.
  const wd = isManager || isOwn ? input.wd : undefined;
  const condition = and(
    input.document_id ? eq(document_id, input.document_id) : undefined,
    input.user_id ? eq(user_id, input.user_id) : undefined,
    inThread(input),
    isManaging ? isNull(comments.deleted_at) : isThere,
    isManaging || isOwn ? undefined : isReadable(ctx),
    input.status?.length ? inStatus(input.status) : undefined,
    containsWords([comments.content], wd),
    // Of a document the caller may not see nothing is told.
    isManager || input.document_id
      ? undefined
      : sql`exists (select 1 from ${documents} where ${documents.id} = ${document_id} and ${visibleTo(ctx)})`,
  );
  // Conversations are read from their beginning.
  const isRead = input.root_id !== undefined || Boolean(input.document_id);
  const columns = input.document_id ? orderOfDocument : orderColumns;
  const order = orderByTerms(input, columns, [isRead ? asc(id) : desc(id)]);
  const isWhole = Boolean(input.document_id) && !input.page && !input.size;
  const { total, rows } = isWhole
    ? await newestOf(ctx, condition, order)
    : await (wd ? foundRows : pageOf)(ctx, condition, order, rangeOf(input));
  const described = await describeComments(ctx, rows, { withTitle: true });
  const replies = input.with_reply ? await firstReplies(ctx, rows) : new Map<number, Comment[]>();
  return {
    total,
    comment: described.map((row) => ({ ...row, reply: replies.get(row.id) ?? [] })),
  };
}

type Range = { page: number; size: number };

const rangeOf = ({ page = 1, size = DEFAULT_SIZE }: Input): Range => ({ page, size });

/** The newest rows, at most `MAX_WHOLE_COMMENTS`, in the requested order. */
async function newestOf(ctx: Context, condition: SQL | undefined, order: SQL[]) {
  const newest = ctx.db.select({ id }).from(comments).where(condition).orderBy(desc(id)).limit(MAX_WHOLE_COMMENTS);
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(inArray(id, newest))
    .orderBy(...order);
  return { total: await countOrEstimate(ctx.db, comments, condition), rows };
}

async function pageOf(ctx: Context, condition: SQL | undefined, order: SQL[], range: Range) {
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(condition)
    .orderBy(...order)
    .limit(range.size)
    .offset((range.page - 1) * range.size);
  return { total: await countOrEstimate(ctx.db, comments, condition), rows };
}

/** Words are looked for in all there is, so that is done once: for the page and for the number of them. */
async function foundRows(ctx: Context, condition: SQL | undefined, order: SQL[], range: Range) {
  const found = await ctx.db
    .select({ id })
    .from(comments)
    .where(condition)
    .orderBy(...order)
    // One more, so that whoever takes them all along learns that there are more.
    .limit(MAX_LISTED_COMMENTS + 1);
  const ids = found.slice((range.page - 1) * range.size, range.page * range.size);
  const wanted = ids.map((row) => row.id);
  const rows =
    wanted.length > 0
      ? await ctx.db
          .select()
          .from(comments)
          .where(inArray(id, wanted))
          .orderBy(...order)
      : [];
  return { total: Math.min(found.length, MAX_LISTED_COMMENTS), rows };
}

async function refuseHidden(ctx: Context, documentId: number): Promise<void> {
  const [found] = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, documentId), visibleTo(ctx)));
  if (!found) throw await hiddenDocumentError(ctx, documentId);
}

/** The first answers in each conversation: a few rows of one index, however many there are. */
async function firstReplies(ctx: Context, roots: CommentRow[]): Promise<Map<number, Comment[]>> {
  const ids = roots.filter((row) => row.root_id === null).map((row) => row.id);
  if (ids.length === 0) return new Map();
  const shown = ctx.db
    .select({ id })
    .from(comments)
    .where(and(sql`${comments.root_id} = roots.id`, isNull(comments.deleted_at), isReadable(ctx)))
    .orderBy(asc(id))
    .limit(REPLIES_SHOWN);
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(
      sql`${id} in (select shown.id from unnest(${sql.param(ids)}::bigint[]) as roots (id)
        cross join lateral (${shown}) as shown)`,
    )
    .orderBy(asc(id));
  return Map.groupBy(await describeComments(ctx, rows), ({ root_id }) => root_id);
}

export async function getComment(ctx: UserContext, { id: wanted }: { id: number }) {
  const rows = await ctx.db.select().from(comments).where(eq(id, wanted));
  const [row] = await describeComments(ctx, rows, { withTitle: true });
  if (!row) throw commentErrors.notFound();
  return row;
}
