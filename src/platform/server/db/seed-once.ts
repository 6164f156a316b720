import { pgTable, text } from 'drizzle-orm/pg-core';
import { type Context, inTransaction } from '../context.ts';

const seeds = pgTable('seeds', { name: text().primaryKey() });

/** Runs `work` once per database, in one transaction with the row that records it. */
export const seedOnce = (ctx: Context, name: string, work: (ctx: Context) => Promise<void>): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    // If two nodes start together, the second waits here until the first commits, and then inserts no row.
    const [newSeed] = await ctx.db.insert(seeds).values({ name }).onConflictDoNothing().returning();
    if (newSeed) await work(ctx);
  });
