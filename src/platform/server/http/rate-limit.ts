import { isIPv6 } from 'node:net';
import { sql } from 'drizzle-orm';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '../context.ts';

export type RateLimit = { max: number; seconds: number };

/** Rate limits count an IPv6 /64 network as one address, because one subscriber usually owns a whole /64. */
export function rateLimitAddress(ip: string): string {
  const address = ip.replace(/^::ffff:/i, '');
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const leadingGroups = head.split(':').filter(Boolean);
  const trailingGroups = tail.split(':').filter(Boolean);
  const zeroGroups = Array.from({ length: Math.max(0, 8 - leadingGroups.length - trailingGroups.length) }, () => '0');
  const groups = address.includes('::') ? [...leadingGroups, ...zeroGroups, ...trailingGroups] : leadingGroups;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Counts an attempt under `key` for all nodes. Do not call inside a transaction: a rejected attempt must stay counted
 * after the rollback.
 */
export async function recordAttempt(ctx: Context, key: string, limit: RateLimit) {
  const now = ctx.now();
  const resetsAt = new Date(now.getTime() + limit.seconds * 1000).toISOString();
  const { rows } = await ctx.db.execute<{ hits: number; resets_at: string }>(sql`
    insert into rate_limits as r (key, hits, resets_at) values (${key}, 1, ${resetsAt})
    on conflict (key) do update set
      hits = case when r.resets_at <= ${now.toISOString()} then 1 else r.hits + 1 end,
      resets_at = case when r.resets_at <= ${now.toISOString()} then excluded.resets_at else r.resets_at end
    returning hits, resets_at`);
  const { hits = 0, resets_at = resetsAt } = rows[0] ?? {};
  const waitSeconds = Math.ceil((new Date(resets_at).getTime() - now.getTime()) / 1000);
  return { hits, waitSeconds: Math.max(1, waitSeconds) };
}

/** Counts an attempt and throws 429 with the waiting time if it exceeds the limit. Returns the number of attempts. */
export async function enforceRateLimit(ctx: Context, key: string, limit: RateLimit): Promise<number> {
  const { hits, waitSeconds } = await recordAttempt(ctx, key, limit);
  if (hits <= limit.max) return hits;
  throw httpErrors.tooManyRequests(`尝试次数过多，请 ${formatWait(waitSeconds)}后再试`, waitSeconds);
}

const formatWait = (seconds: number) => (seconds < 60 ? `${seconds} 秒` : `${Math.ceil(seconds / 60)} 分钟`);

/** Call after a successful attempt, so that only failures count. */
export const undoAttempt = (ctx: Context, key: string) =>
  ctx.db.execute(sql`update rate_limits set hits = greatest(hits - 1, 0) where key = ${key}`);
