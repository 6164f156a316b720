import { eq, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { ContentFormat } from '../content.contract.ts';
import { contents } from '../content.table.ts';
import type { Content } from '../content.ts';

const WATCH_MS = 1_000;
const LEAST_MS = 4_000;
const MOST_MS = 20_000;
/** Several times what is usual: only what is out of the ordinary loses its turn. */
const PATIENCE = 3;
const KEPT = 9;
const taken = new Map<ContentFormat, number[]>();

/** Machines differ: what a format usually takes until something can be read is learned on this one. */
function learn(format: ContentFormat, ms: number): void {
  taken.set(format, [...(taken.get(format) ?? []), ms].slice(-KEPT));
}

function turnOf(format: ContentFormat): number {
  const known = (taken.get(format) ?? []).toSorted((one, other) => one - other);
  const usual = known[known.length >> 1] ?? 0;
  return Math.min(MOST_MS, Math.max(LEAST_MS, PATIENCE * usual));
}

/** Calls `end` once, when the turn is over, nothing can be read yet and others wait. */
export function watchTurn(ctx: Context, { id, format }: Content, end: () => void) {
  const began = Date.now();
  let isOver = false;
  const stop = () => {
    isOver = true;
    clearInterval(timer);
  };
  /** Something can be read. */
  const shown = () => {
    if (!isOver) learn(format, Date.now() - began);
    stop();
  };
  const look = async () => {
    const [row] = await ctx.db
      .select({ state: contents.state, others: othersWait })
      .from(contents)
      .where(eq(contents.id, id));
    if (isOver) return;
    if (row?.state === 'readable') shown();
    else if (row?.others && Date.now() - began > turnOf(format)) {
      stop();
      end();
    }
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => ctx.log.warn({ err: error }, 'turn not watched'));
  }, WATCH_MS);
  return { stop, shown };
}

/** What waits for a program that is missing needs no turn. */
const othersWait = sql<boolean>`exists (
  select 1 from ${contents} other where other.state = 'waiting' and other.reason = '')`;

export async function doOthersWait(ctx: Context): Promise<boolean> {
  const { rows } = await ctx.db.execute<{ others: boolean }>(sql`select ${othersWait} as others`);
  return rows[0]?.others ?? false;
}
