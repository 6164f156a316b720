import { eq, inArray, sql } from 'drizzle-orm';
import { checkInToday } from '#modules/check-in/check-in.ts';
import { comments } from '#modules/comment/comment.table.ts';
import { insertComment } from '#modules/comment/create-comment.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { addFavorite } from '#modules/favorite/favorite.ts';
import { createFolder } from '#modules/favorite/folder.ts';
import { followUser } from '#modules/follow/follow.ts';
import { rateDocument } from '#modules/rating/rating.ts';
import { createReport } from '#modules/report/report.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { type DemoActivity, readActivity } from './read-demo-data.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOLLOWS_PER_USER = 3;
const CHECK_IN_DAYS = 4;
/** The first users of the list own the documents. */
const AUTHOR_COUNT = 4;
const SCORES = [500, 400, 300] as const;

type Users = UserContext['user'][];
type Action = { user: number; msAgo: number; run: (ctx: UserContext) => Promise<unknown> };
type DemoDocumentRow = { id: number; title: string; owner: number };
type DocumentIds = Map<string, number>;

/** A pseudo-random number that is the same in every run. */
const deterministicHash = (a: number, b: number) => ((a + 1) * 2_654_435_761 + b * 40_503) >>> 8;
const countFrom1 = (length: number) => Array.from({ length }, (_, index) => index + 1);

/**
 * Adds check-ins, follows, ratings, favorites, comments and reports of the demo users. Does nothing and returns false
 * when they have written comments already, so that later changes of the operator stay.
 */
export async function addActivity(ctx: Context, users: Users): Promise<boolean> {
  const userIds = users.map(({ id }) => id);
  const [comment] = await ctx.db
    .select({ id: comments.id })
    .from(comments)
    .where(inArray(comments.user_id, userIds))
    .limit(1);
  if (comment) return false;
  const rows = await ctx.db
    .select({ id: documents.id, title: documents.title, owner: documents.user_id })
    .from(documents)
    .where(sql`${inArray(documents.user_id, userIds)} and ${eq(documents.status, documentStatus.converted)}`)
    .orderBy(documents.id);
  const ids: DocumentIds = new Map(rows.map(({ id, title }) => [title, id]));
  const activity = readActivity();
  const actions = [
    ...planCheckIns(users),
    ...planFollows(users),
    ...planRatings(rows, users),
    ...planFavoriteFolders(activity, ids),
    ...activity.comments.flatMap((each) => planDiscussion(each, ids)),
    ...unreviewedComment(activity, ids),
    ...planReports(activity, ids),
  ];
  const now = ctx.now().getTime();
  // In chronological order, because feeds are ordered by id.
  for (const { user: index, msAgo, run } of actions.toSorted((a, b) => b.msAgo - a.msAgo)) {
    const user = users[index];
    if (!user) throw new Error(`there is no demo user ${index}`);
    await run({ ...ctx, user, now: () => new Date(now - msAgo) });
  }
  await addViews(ctx, rows);
  return true;
}

const planCheckIns = (users: Users): Action[] =>
  users.flatMap((_, user) =>
    countFrom1(CHECK_IN_DAYS)
      .filter((day) => deterministicHash(user, day) % 3 > 0)
      .map((day) => ({ user, msAgo: day * DAY_MS, run: checkInToday })),
  );

const planFollows = (users: Users): Action[] =>
  users.flatMap(({ id }, user) =>
    countFrom1(FOLLOWS_PER_USER).flatMap((step) => {
      const target = users[(user + step * step) % (user < AUTHOR_COUNT ? users.length : AUTHOR_COUNT)];
      if (!target || target.id === id) return [];
      return [{ user, msAgo: step * 3 * DAY_MS, run: (ctx: UserContext) => followOnce(ctx, target.id) }];
    }),
  );

async function followOnce(ctx: UserContext, targetId: number): Promise<void> {
  const { rows } = await ctx.db.execute(
    sql`select 1 from follows where user_id = ${ctx.user.id} and target_id = ${targetId}`,
  );
  if (rows.length === 0) await followUser(ctx, { user_id: targetId });
}

const planRatings = (rows: DemoDocumentRow[], users: Users): Action[] =>
  rows.flatMap(({ id: document_id, owner }) =>
    users.flatMap(({ id }, user): Action[] => {
      const number = deterministicHash(user, document_id) % 10;
      if (number > 4 || id === owner) return [];
      const score = SCORES[number % SCORES.length] ?? 400;
      return [{ user, msAgo: number * DAY_MS, run: (ctx) => rateDocument(ctx, { document_id, score }) }];
    }),
  );

async function addViews(ctx: Context, rows: DemoDocumentRow[]): Promise<void> {
  for (const { id } of rows) {
    const views = 100 + (deterministicHash(id, 7) % 1_100);
    await ctx.db
      .update(documents)
      .set({ view_count: sql`${documents.view_count} + ${views}` })
      .where(eq(documents.id, id));
  }
}

const planFavoriteFolders = ({ favorite_folders }: DemoActivity, ids: DocumentIds): Action[] =>
  favorite_folders.map(({ user, title, is_public, documents: titles }) => ({
    user,
    msAgo: 2 * DAY_MS,
    run: async (ctx) => {
      const folder = await createFolder(ctx, { title, description: '', is_public });
      for (const documentTitle of titles) {
        const document_id = ids.get(documentTitle);
        if (document_id) await addFavorite(ctx, { document_id, folder_id: folder.id });
      }
    },
  }));

function planDiscussion(
  { document, user, days_ago, text, replies }: DemoActivity['comments'][number],
  ids: DocumentIds,
) {
  const document_id = ids.get(document);
  if (!document_id) return [];
  const status = 1;
  const msAgo = days_ago * DAY_MS;
  let commentId = 0;
  const comment: Action = {
    user,
    msAgo,
    run: async (ctx) => {
      commentId = (await insertComment(ctx, { document_id, status, parent_id: 0, content: text })).id;
    },
  };
  const answers = replies.map(
    (reply, index): Action => ({
      user: reply.user,
      msAgo: msAgo - (index + 1) * 2 * HOUR_MS,
      run: (ctx) => insertComment(ctx, { document_id, status, parent_id: commentId, content: reply.text }),
    }),
  );
  return [comment, ...answers];
}

function unreviewedComment({ unreviewed_comment: { document, user, text } }: DemoActivity, ids: DocumentIds): Action[] {
  const document_id = ids.get(document);
  if (!document_id) return [];
  const run = (ctx: UserContext) => insertComment(ctx, { document_id, status: 0, parent_id: 0, content: text });
  return [{ user, msAgo: HOUR_MS, run }];
}

const planReports = (activity: DemoActivity, ids: DocumentIds): Action[] =>
  activity.reports.flatMap(({ document, user, reason, content }): Action[] => {
    const document_id = ids.get(document);
    if (!document_id) return [];
    const run = (ctx: UserContext) => createReport(ctx, { document_id, reason, content });
    return [{ user, msAgo: 5 * HOUR_MS, run }];
  });
