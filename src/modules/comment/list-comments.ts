import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { containsWords, countOrEstimate, orderByTerms } from '#platform/server/db/list-query.ts';
import { addAuthorsToComments, seesAllComments } from './add-authors-to-comments.ts';
import {
  type Comment,
  type CommentStatus,
  type commentApi,
  commentErrors,
  commentStatuses,
  REPLIES_PER_COMMENT,
} from './comment.contract.ts';
import { type CommentRow, comments } from './comment.table.ts';

/** Largest number of results of a keyword search. */
export const MAX_SEARCH_RESULTS = 10_000;

/** Largest number of comments of a document that is requested without paging. */
const MAX_UNPAGED_COMMENTS = 1_000;
const DEFAULT_PAGE_SIZE = 10;

type Input = ParsedInputOf<typeof commentApi.list>;

const { id, status, user_id, document_id, comment_count } = comments;
/** Ids increase with time, so sorting by created_at uses the id. */
const orderColumns = { id, created_at: id };
/** The comments of one document are few enough to sort by the number of replies. */
const documentOrderColumns = { ...orderColumns, comment_count };

/** Approved comments, and the caller's comments in any status. */
const isReadable = (ctx: Context): SQL | undefined =>
  ctx.user ? or(eq(status, 1), eq(user_id, ctx.user.id)) : eq(status, 1);

/** A deleted comment is listed only while its thread has replies. */
const isNotDeletedOrHasReplies = sql`(${comments.deleted_at} is null or (${comments.root_id} is null
  and ${comments.comment_count} > 0))`;

const inStatus = (statuses: number[]): SQL => {
  const validStatuses = statuses.filter((each) => Object.hasOwn(commentStatuses, each));
  return validStatuses.length > 0 ? inArray(status, validStatuses as CommentStatus[]) : sql`false`;
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

/** Lists comments of a document, a thread or a user; for comment managers also all comments. */
export async function listComments(ctx: Context, input: Input) {
  const isManager = seesAllComments(ctx);
  const isMyList = input.user_id !== undefined && input.user_id === ctx.user?.id;
  const isManaging = isManager && !input.with_reply && !input.root_id;
  if (input.document_id && !isManager) await assertDocumentVisible(ctx, input.document_id);
  // Only managers and authors may search by keyword.
  const wd = isManager || isMyList ? input.wd : undefined;
  const condition = and(
    input.document_id ? eq(document_id, input.document_id) : undefined,
    input.user_id ? eq(user_id, input.user_id) : undefined,
    inThread(input),
    isManaging ? isNull(comments.deleted_at) : isNotDeletedOrHasReplies,
    isManaging || isMyList ? undefined : isReadable(ctx),
    input.status?.length ? inStatus(input.status) : undefined,
    containsWords([comments.content], wd),
    // Comments on documents that the caller may not see are left out.
    isManager || input.document_id
      ? undefined
      : sql`exists (select 1 from ${documents} where ${documents.id} = ${document_id} and ${isVisibleToCaller(ctx)})`,
  );
  // Threads and documents list the oldest comment first.
  const isOldestFirst = input.root_id !== undefined || Boolean(input.document_id);
  const columns = input.document_id ? documentOrderColumns : orderColumns;
  const order = orderByTerms(input, columns, [isOldestFirst ? asc(id) : desc(id)]);
  const isUnpaged = Boolean(input.document_id) && !input.page && !input.size;
  const { total, rows } = isUnpaged
    ? await selectNewestComments(ctx, condition, order)
    : await (wd ? searchComments : selectCommentPage)(ctx, condition, order, toPageAndSize(input));
  const listedComments = await addAuthorsToComments(ctx, rows, { withTitle: true });
  const replies = input.with_reply ? await firstReplies(ctx, rows) : new Map<number, Comment[]>();
  return {
    total,
    comment: listedComments.map((row) => ({ ...row, reply: replies.get(row.id) ?? [] })),
  };
}

type Range = { page: number; size: number };

const toPageAndSize = ({ page = 1, size = DEFAULT_PAGE_SIZE }: Input): Range => ({ page, size });

/** The newest rows, at most `MAX_UNPAGED_COMMENTS`, in the requested order. */
async function selectNewestComments(ctx: Context, condition: SQL | undefined, order: SQL[]) {
  const newest = ctx.db.select({ id }).from(comments).where(condition).orderBy(desc(id)).limit(MAX_UNPAGED_COMMENTS);
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(inArray(id, newest))
    .orderBy(...order);
  return { total: await countOrEstimate(ctx.db, comments, condition), rows };
}

async function selectCommentPage(ctx: Context, condition: SQL | undefined, order: SQL[], range: Range) {
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(condition)
    .orderBy(...order)
    .limit(range.size)
    .offset((range.page - 1) * range.size);
  return { total: await countOrEstimate(ctx.db, comments, condition), rows };
}

/** A keyword search reads all comments, so one query determines both the page and the total. */
async function searchComments(ctx: Context, condition: SQL | undefined, order: SQL[], range: Range) {
  const hits = await ctx.db
    .select({ id })
    .from(comments)
    .where(condition)
    .orderBy(...order)
    // One more than the limit, so that an export can detect that there are more.
    .limit(MAX_SEARCH_RESULTS + 1);
  const pageHits = hits.slice((range.page - 1) * range.size, range.page * range.size);
  const ids = pageHits.map((row) => row.id);
  const rows =
    ids.length > 0
      ? await ctx.db
          .select()
          .from(comments)
          .where(inArray(id, ids))
          .orderBy(...order)
      : [];
  return { total: Math.min(hits.length, MAX_SEARCH_RESULTS), rows };
}

async function assertDocumentVisible(ctx: Context, documentId: number): Promise<void> {
  const [visibleDocument] = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, documentId), isVisibleToCaller(ctx)));
  if (!visibleDocument) throw await hiddenDocumentError(ctx, documentId);
}

/** The first replies of each thread. The lateral join reads only these rows from the index. */
async function firstReplies(ctx: Context, roots: CommentRow[]): Promise<Map<number, Comment[]>> {
  const ids = roots.filter((row) => row.root_id === null).map((row) => row.id);
  if (ids.length === 0) return new Map();
  const repliesOfRoot = ctx.db
    .select({ id })
    .from(comments)
    .where(and(sql`${comments.root_id} = roots.id`, isNull(comments.deleted_at), isReadable(ctx)))
    .orderBy(asc(id))
    .limit(REPLIES_PER_COMMENT);
  const rows = await ctx.db
    .select()
    .from(comments)
    .where(
      sql`${id} in (select first_replies.id from unnest(${sql.param(ids)}::bigint[]) as roots (id)
        cross join lateral (${repliesOfRoot}) as first_replies)`,
    )
    .orderBy(asc(id));
  return Map.groupBy(await addAuthorsToComments(ctx, rows), ({ root_id }) => root_id);
}

export async function getComment(ctx: UserContext, { id: commentId }: { id: number }) {
  const rows = await ctx.db.select().from(comments).where(eq(id, commentId));
  const [row] = await addAuthorsToComments(ctx, rows, { withTitle: true });
  if (!row) throw commentErrors.notFound();
  return row;
}
