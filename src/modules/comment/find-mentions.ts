import { inArray, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { Context } from '#platform/server/context.ts';
import type { Mention } from './comment.contract.ts';

const MAX_MENTIONS = 10;
const MIN_NAME_LENGTH = 3;
/** A name may end anywhere within the match, because Chinese text follows without a space. */
const MENTION_PATTERN = /(?<![\p{L}\p{N}_.-])@([\p{Script=Han}A-Za-z0-9_.-]{3,32})/gu;

/** Users mentioned with @ in a text. At each @ the longest existing name wins. */
export async function findMentions(ctx: Context, text: string): Promise<Mention[]> {
  const candidateNames = [...text.matchAll(MENTION_PATTERN)].slice(0, MAX_MENTIONS).map(([, name = '']) => name);
  const prefixes = new Set(candidateNames.flatMap(namePrefixes));
  if (prefixes.size === 0) return [];
  const matchingUsers = await ctx.db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(inArray(sql`lower(${users.username})`, [...prefixes]));
  const byName = new Map(matchingUsers.map((user) => [user.username.toLowerCase(), user]));
  const mentionedUsers = candidateNames.flatMap((candidateName) => {
    const name = namePrefixes(candidateName).find((each) => byName.has(each));
    return (name && byName.get(name)) || [];
  });
  return [...new Map(mentionedUsers.map((user) => [user.id, user])).values()];
}

/** Prefixes in lower case, longest first. */
function namePrefixes(name: string): string[] {
  const letters = [...name.toLowerCase()];
  return letters
    .map((_, at) => letters.slice(0, letters.length - at).join(''))
    .filter((each) => [...each].length >= MIN_NAME_LENGTH);
}
