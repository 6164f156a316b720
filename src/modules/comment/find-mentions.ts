import { inArray, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { Context } from '#platform/server/context.ts';
import type { Mention } from './comment.contract.ts';

const MAX_MENTIONS = 10;
const MIN_NAME = 3;
/** What a name may be made of. Chinese goes on without a space, so a name may end anywhere within. */
const NAMED = /(?<![\p{L}\p{N}_.-])@([\p{Script=Han}A-Za-z0-9_.-]{3,32})/gu;

/** Who is named with @ in a text: of each place the longest name that somebody has. */
export async function findMentions(ctx: Context, text: string): Promise<Mention[]> {
  const places = [...text.matchAll(NAMED)].slice(0, MAX_MENTIONS).map(([, name = '']) => name);
  const candidates = new Set(places.flatMap(beginningsOf));
  if (candidates.size === 0) return [];
  const found = await ctx.db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(inArray(sql`lower(${users.username})`, [...candidates]));
  const byName = new Map(found.map((user) => [user.username.toLowerCase(), user]));
  const named = places.flatMap((place) => {
    const name = beginningsOf(place).find((each) => byName.has(each));
    return (name && byName.get(name)) || [];
  });
  return [...new Map(named.map((user) => [user.id, user])).values()];
}

/** Longest first. */
function beginningsOf(name: string): string[] {
  const letters = [...name.toLowerCase()];
  return letters
    .map((_, at) => letters.slice(0, letters.length - at).join(''))
    .filter((each) => [...each].length >= MIN_NAME);
}
