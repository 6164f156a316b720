import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, ne } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { sessions } from './account.table.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 30 * DAY_MS;
/** How long a use may go unnoted, so that reading does not write each time. */
const LAST_SEEN_UPDATE_MS = 60 * 60 * 1000;

const hashToken = (token: string) => createHash('sha256').update(token).digest();
const expiresAt = (now: Date) => new Date(now.getTime() + LIFETIME_MS).toISOString();

/** Opens a session; the token is known to the caller alone. */
export async function openSession(ctx: Context, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await ctx.db.insert(sessions).values({
    user_id: userId,
    token_hash: hashToken(token),
    ip: ctx.client.ip,
    user_agent: ctx.client.userAgent.slice(0, 512),
    created_at: ctx.now().toISOString(),
    last_seen_at: ctx.now().toISOString(),
    expires_at: expiresAt(ctx.now()),
  });
  return token;
}

/** The live session of a token. A session in use is prolonged, thirty days from its last use. */
export async function findSession(ctx: Context, token: string): Promise<{ id: number; userId: number } | null> {
  const now = ctx.now();
  const [session] = await ctx.db
    .select({ id: sessions.id, userId: sessions.user_id, seen: sessions.last_seen_at })
    .from(sessions)
    .where(and(eq(sessions.token_hash, hashToken(token)), gt(sessions.expires_at, now.toISOString())));
  if (!session) return null;
  if (now.getTime() - Date.parse(session.seen) > LAST_SEEN_UPDATE_MS)
    await ctx.db
      .update(sessions)
      .set({ last_seen_at: now.toISOString(), expires_at: expiresAt(now) })
      .where(eq(sessions.id, session.id));
  return { id: session.id, userId: session.userId };
}

const siteAccessKey = (tokenHash: Buffer) => createHmac('sha256', tokenHash).update('pass').digest();

/**
 * What a browser shows for a session where it cannot send the token: when it opens a page or draws a
 * picture. Derived from the session, so that it ends with it; no token can be made from it.
 */
export const createSiteAccessToken = (sessionId: number, token: string): string =>
  `${sessionId}.${siteAccessKey(hashToken(token)).toString('base64url')}`;

export async function findSessionBySiteAccessToken(
  ctx: Context,
  pass: string,
): Promise<{ id: number; userId: number } | null> {
  const [, id, given = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? [];
  if (id === undefined) return null;
  const [session] = await ctx.db
    .select({ id: sessions.id, userId: sessions.user_id, hash: sessions.token_hash })
    .from(sessions)
    .where(and(eq(sessions.id, Number(id)), gt(sessions.expires_at, ctx.now().toISOString())));
  if (!session || !timingSafeEqual(siteAccessKey(session.hash), Buffer.from(given, 'base64url'))) return null;
  return { id: session.id, userId: session.userId };
}

export const endSession = (ctx: Context, id: number) => ctx.db.delete(sessions).where(eq(sessions.id, id));

/** Ends the sessions of a user, all or all but the one at hand. */
export const endSessions = (ctx: Context, userId: number, remainingSessionId = 0) =>
  ctx.db.delete(sessions).where(and(eq(sessions.user_id, userId), ne(sessions.id, remainingSessionId)));
