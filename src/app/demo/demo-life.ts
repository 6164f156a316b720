import { eq, inArray, sql } from 'drizzle-orm';
import { comments } from '#modules/comment/comment.table.ts';
import { writeComment } from '#modules/comment/create-comment.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { addFavorite } from '#modules/favorite/favorite.ts';
import { createFolder } from '#modules/favorite/folder.ts';
import { follow } from '#modules/follow/follow.ts';
import { rate } from '#modules/rating/rating.ts';
import { createReport } from '#modules/report/report.ts';
import { signInToday } from '#modules/sign-in/sign-in.ts';
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
export async function runLife(ctx: Context, people: UserContext['user'][]): Promise<boolean> {
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
    .where(
      sql`${inArray(documents.user_id, ids)} and ${eq(documents.status, documentStatus.converted)}`,
    )
    .orderBy(documents.id);
  const idOf = new Map(rows.map(({ id, title }) => [title, id]));
  const now = ctx.now().getTime();
  /** Somebody of them, some time ago. */
  const as = (by: number, ago: number): UserContext => {
    const user = people[by];
    if (!user) throw new Error(`there is no demo user ${by}`);
    return { ...ctx, user, now: () => new Date(now - ago) };
  };
  for (const [by] of people.entries()) {
    for (let days = SIGNED_DAYS; days > 0; days -= 1)
      if (mixed(by, days) % 3 > 0) await signInToday(as(by, days * DAY_MS));
    for (let step = 1; step <= FOLLOWED_EACH; step += 1) {
      // More follow the four who write.
      const other = people[(by + step * step) % (by < 4 ? people.length : 4)];
      if (other && other.id !== people[by]?.id) await followOnce(as(by, step * 3 * DAY_MS), other);
    }
  }
  await judge(rows, people, as);
  await keepAndTalk(idOf, as);
  return true;
}

async function followOnce(ctx: UserContext, { id }: { id: number }): Promise<void> {
  const { rows } = await ctx.db.execute(
    sql`select 1 from follows where user_id = ${ctx.user.id} and target_id = ${id}`,
  );
  if (rows.length === 0) await follow(ctx, { user_id: id });
}

type As = (by: number, ago: number) => UserContext;
type Row = { id: number; title: string; owner: number };

/** Stars and readers: most are liked, some more than others. */
async function judge(rows: Row[], people: UserContext['user'][], as: As): Promise<void> {
  for (const { id, owner } of rows) {
    let readers = 40 + (mixed(id, 7) % 900);
    for (const [by, person] of people.entries()) {
      const wish = mixed(by, id) % 10;
      if (wish > 4 || person.id === owner) continue;
      await rate(as(by, wish * DAY_MS), {
        document_id: id,
        score: stars[wish % stars.length] ?? 400,
      });
      readers += 60;
    }
    await as(0, 0)
      .db.update(documents)
      .set({ view_count: sql`${documents.view_count} + ${readers}` })
      .where(eq(documents.id, id));
  }
}

async function keepAndTalk(idOf: Map<string, number>, as: As): Promise<void> {
  for (const { by, title, is_public, holds } of shelves) {
    const person = as(by, 2 * DAY_MS);
    const folder = await createFolder(person, { title, description: '', is_public });
    for (const held of holds) {
      const document_id = idOf.get(held);
      if (document_id) await addFavorite(person, { document_id, folder_id: folder.id });
    }
  }
  // As it was said: nobody speaks before what they said earlier.
  for (const { title, by, daysAgo, text, answers = [] } of talks.toSorted(
    (one, other) => other.daysAgo - one.daysAgo,
  )) {
    const document_id = idOf.get(title);
    if (!document_id) continue;
    const said = { document_id, status: 1 as const };
    const first = await writeComment(as(by, daysAgo * DAY_MS), {
      ...{ ...said, parent_id: 0, content: text },
    });
    for (const [at, { by, text: content }] of answers.entries()) {
      const ago = daysAgo * DAY_MS - (at + 1) * 2 * HOUR_MS;
      await writeComment(as(by, ago), { ...said, parent_id: first.id, content });
    }
  }
  const unseen = idOf.get(waiting.title);
  if (unseen)
    await writeComment(as(waiting.by, HOUR_MS), {
      ...{ document_id: unseen, parent_id: 0, content: waiting.text, status: 0 },
    });
  for (const { by, title, reason, content } of complaints) {
    const document_id = idOf.get(title);
    if (document_id) await createReport(as(by, 5 * HOUR_MS), { document_id, reason, content });
  }
}
