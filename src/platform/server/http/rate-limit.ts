import { isIPv6 } from 'node:net';
import { sql } from 'drizzle-orm';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '../context.ts';

export type Limit = { max: number; seconds: number };

/** One subscriber holds a whole /64 of IPv6, so that is what counts as an address. */
export function addressKey(ip: string): string {
  const plain = ip.replace(/^::ffff:/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const missing = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = plain.includes('::') ? [...left, ...missing, ...right] : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Counts an attempt under `key`, on all nodes together. Not for use inside a transaction: an attempt
 * that is refused must stay counted.
 */
export async function tallyAttempt(ctx: Context, key: string, limit: Limit) {
  const now = ctx.now();
  const resets = new Date(now.getTime() + limit.seconds * 1000).toISOString();
  const { rows } = await ctx.db.execute<{ hits: number; resets_at: string }>(sql`
    insert into rate_limits as r (key, hits, resets_at) values (${key}, 1, ${resets})
    on conflict (key) do update set
      hits = case when r.resets_at <= ${now.toISOString()} then 1 else r.hits + 1 end,
      resets_at = case when r.resets_at <= ${now.toISOString()} then excluded.resets_at else r.resets_at end
    returning hits, resets_at`);
  const { hits = 0, resets_at = resets } = rows[0] ?? {};
  const wait = Math.ceil((new Date(resets_at).getTime() - now.getTime()) / 1000);
  return { hits, wait: Math.max(1, wait) };
}

/** Counts an attempt and refuses it past the limit, with the time to wait. Returns how many there were. */
export async function countAttempt(ctx: Context, key: string, limit: Limit): Promise<number> {
  const { hits, wait } = await tallyAttempt(ctx, key, limit);
  if (hits <= limit.max) return hits;
  throw httpErrors.tooManyRequests(`尝试次数过多，请 ${describe(wait)}后再试`, wait);
}

const describe = (seconds: number) => (seconds < 60 ? `${seconds} 秒` : `${Math.ceil(seconds / 60)} 分钟`);

/** Takes an attempt back: it was the right one. */
export const forgiveAttempt = (ctx: Context, key: string) =>
  ctx.db.execute(sql`update rate_limits set hits = greatest(hits - 1, 0) where key = ${key}`);
