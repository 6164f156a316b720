import { eq, inArray, sql } from 'drizzle-orm';
import { checkInToday } from '#modules/check-in/check-in.ts';
import { comments } from '#modules/comment/comment.table.ts';
import { insertComment } from '#modules/comment/create-comment.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { addFavorite } from '#modules/favorite/favorite.ts';
import { createFolder } from '#modules/favorite/folder.ts';
import { followUser } from '#modules/follow/follow.ts';
import { rate } from '#modules/rating/rating.ts';
import { createReport } from '#modules/report/report.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { complaints, shelves, talks, waiting } from './library/talk.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOLLOWED_EACH = 3;
const SIGNED_DAYS = 4;

const stars = [500, 400, 300] as const;

/** A number of its own for two numbers, the same in every run. */
const mixed = (one: number, other: number) => ((one + 1) * 2_654_435_761 + other * 40_503) >>> 8;

/**
 * What people do with the demo documents: they follow, rate, keep, talk, complain and sign in. Said once:
 * whoever ran the demo before keeps what became of it.
 */
export async function runLife(ctx: Context, people: People): Promise<boolean> {
  const ids = people.map(({ id }) => id);
  const [known] = await ctx.db
    .select({ id: comments.id })
    .from(comments)
    .where(inArray(comments.user_id, ids))
    .limit(1);
  if (known) return false;
  const rows = await ctx.db
    .select({ id: documents.id, title: documents.title, owner: documents.user_id })
    .from(documents)
    .where(sql`${inArray(documents.user_id, ids)} and ${eq(documents.status, documentStatus.converted)}`)
    .orderBy(documents.id);
  const idOf = new Map(rows.map(({ id, title }) => [title, id]));
  const deeds = [
    ...visits(people),
    ...judgements(rows, people),
    ...favorites(idOf),
    ...talks.flatMap((talk) => conversation(talk, idOf)),
    ...objections(idOf),
  ];
  const now = ctx.now().getTime();
  // As it happened: what came later is told above what came before.
  for (const { by, ago, run } of deeds.toSorted((one, other) => other.ago - one.ago)) {
    const user = people[by];
    if (!user) throw new Error(`there is no demo user ${by}`);
    await run({ ...ctx, user, now: () => new Date(now - ago) });
  }
  await addReaders(ctx, rows);
  return true;
}

type People = UserContext['user'][];
/** Somebody of them does something, some time ago. */
type Deed = { by: number; ago: number; run: (ctx: UserContext) => Promise<unknown> };

function visits(people: People): Deed[] {
  return people.flatMap((person, by) => {
    const days = Array.from({ length: SIGNED_DAYS }, (_, at) => at + 1);
    const steps = Array.from({ length: FOLLOWED_EACH }, (_, at) => at + 1);
    return [
      ...days.filter((day) => mixed(by, day) % 3 > 0).map((day) => ({ by, ago: day * DAY_MS, run: checkInToday })),
      ...steps.flatMap((step) => {
        // More follow the four who write.
        const other = people[(by + step * step) % (by < 4 ? people.length : 4)];
        if (!other || other.id === person.id) return [];
        const run = (ctx: UserContext) => followOnce(ctx, other);
        return [{ by, ago: step * 3 * DAY_MS, run }];
      }),
    ];
  });
}

async function followOnce(ctx: UserContext, { id }: { id: number }): Promise<void> {
  const { rows } = await ctx.db.execute(
    sql`select 1 from follows where user_id = ${ctx.user.id} and target_id = ${id}`,
  );
  if (rows.length === 0) await followUser(ctx, { user_id: id });
}

type Row = { id: number; title: string; owner: number };

/** Most like what they read. */
const judgements = (rows: Row[], people: People): Deed[] =>
  rows.flatMap(({ id: document_id, owner }) =>
    people.flatMap((person, by): Deed[] => {
      const wish = mixed(by, document_id) % 10;
      if (wish > 4 || person.id === owner) return [];
      const score = stars[wish % stars.length] ?? 400;
      return [{ by, ago: wish * DAY_MS, run: (ctx) => rate(ctx, { document_id, score }) }];
    }),
  );

/** Some are read more than others. */
async function addReaders(ctx: Context, rows: Row[]): Promise<void> {
  for (const { id } of rows) {
    const readers = 100 + (mixed(id, 7) % 1_100);
    await ctx.db
      .update(documents)
      .set({ view_count: sql`${documents.view_count} + ${readers}` })
      .where(eq(documents.id, id));
  }
}

const favorites = (idOf: Map<string, number>): Deed[] =>
  shelves.map(({ by, title, is_public, holds }) => ({
    by,
    ago: 2 * DAY_MS,
    run: async (ctx) => {
      const folder = await createFolder(ctx, { title, description: '', is_public });
      for (const held of holds) {
        const document_id = idOf.get(held);
        if (document_id) await addFavorite(ctx, { document_id, folder_id: folder.id });
      }
    },
  }));

function conversation(talk: (typeof talks)[number], idOf: Map<string, number>): Deed[] {
  const document_id = idOf.get(talk.title);
  if (!document_id) return [];
  const said = { document_id, status: 1 as const };
  let first = 0;
  const began = {
    by: talk.by,
    ago: talk.daysAgo * DAY_MS,
    run: async (ctx: UserContext) => {
      first = (await insertComment(ctx, { ...said, parent_id: 0, content: talk.text })).id;
    },
  };
  const answers = (talk.answers ?? []).map(({ by, text: content }, at) => ({
    by,
    ago: began.ago - (at + 1) * 2 * HOUR_MS,
    run: (ctx: UserContext) => insertComment(ctx, { ...said, parent_id: first, content }),
  }));
  return [began, ...answers];
}

/** A comment that waits for review, and reports. */
function objections(idOf: Map<string, number>): Deed[] {
  const unseen = idOf.get(waiting.title);
  const said = { parent_id: 0, content: waiting.text, status: 0 as const };
  const comment: Deed[] = unseen
    ? [
        {
          by: waiting.by,
          ago: HOUR_MS,
          run: (ctx) => insertComment(ctx, { ...said, document_id: unseen }),
        },
      ]
    : [];
  const reports = complaints.flatMap(({ by, title, reason, content }): Deed[] => {
    const document_id = idOf.get(title);
    if (!document_id) return [];
    const run = (ctx: UserContext) => createReport(ctx, { document_id, reason, content });
    return [{ by, ago: 5 * HOUR_MS, run }];
  });
  return [...comment, ...reports];
}
