import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, ne } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { skipIfOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { sessions } from './account.table.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 30 * DAY_MS;
/** last_seen_at is updated at most this often, so that not every request writes. */
const LAST_SEEN_UPDATE_MS = 60 * 60 * 1000;

const hashToken = (token: string) => createHash('sha256').update(token).digest();
const expiresAt = (now: Date) => new Date(now.getTime() + LIFETIME_MS).toISOString();

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

/** Finds the unexpired session of a token and extends it to LIFETIME_MS from now. */
export async function findAndExtendSession(
  ctx: Context,
  token: string,
): Promise<{ id: number; userId: number } | null> {
  const now = ctx.now();
  const [session] = await ctx.db
    .select({ id: sessions.id, userId: sessions.user_id, lastSeenAt: sessions.last_seen_at })
    .from(sessions)
    .where(and(eq(sessions.token_hash, hashToken(token)), gt(sessions.expires_at, now.toISOString())));
  if (!session) return null;
  if (now.getTime() - Date.parse(session.lastSeenAt) > LAST_SEEN_UPDATE_MS)
    await skipIfOutOfSpace(
      ctx.db
        .update(sessions)
        .set({ last_seen_at: now.toISOString(), expires_at: expiresAt(now) })
        .where(eq(sessions.id, session.id))
        .execute(),
    );
  return { id: session.id, userId: session.userId };
}

const siteAccessKey = (tokenHash: Buffer) => createHmac('sha256', tokenHash).update('pass').digest();

/**
 * Proves a session where the browser cannot send the bearer token: for pages and images. It is derived from the
 * session, so it ends with it, and the session token cannot be derived from it.
 */
export const createSiteAccessToken = (sessionId: number, token: string): string =>
  `${sessionId}.${siteAccessKey(hashToken(token)).toString('base64url')}`;

export async function findSessionBySiteAccessToken(
  ctx: Context,
  siteAccessToken: string,
): Promise<{ id: number; userId: number } | null> {
  const [, id, signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(siteAccessToken) ?? [];
  if (id === undefined) return null;
  const [session] = await ctx.db
    .select({ id: sessions.id, userId: sessions.user_id, hash: sessions.token_hash })
    .from(sessions)
    .where(and(eq(sessions.id, Number(id)), gt(sessions.expires_at, ctx.now().toISOString())));
  if (!session || !timingSafeEqual(siteAccessKey(session.hash), Buffer.from(signature, 'base64url'))) return null;
  return { id: session.id, userId: session.userId };
}

export const endSession = (ctx: Context, id: number) => ctx.db.delete(sessions).where(eq(sessions.id, id));

export const endSessions = (ctx: Context, userId: number, remainingSessionId = 0) =>
  ctx.db.delete(sessions).where(and(eq(sessions.user_id, userId), ne(sessions.id, remainingSessionId)));
