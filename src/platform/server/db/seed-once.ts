import { pgTable, text } from 'drizzle-orm/pg-core';
import { type Context, inTransaction } from '../context.ts';

const seeds = pgTable('seeds', { name: text().primaryKey() });

/** Runs `work` once in the life of a database, together with the note that it was done. */
export const seedOnce = (ctx: Context, name: string, work: (ctx: Context) => Promise<void>): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    // Of two nodes that start together the second waits here, then finds it done.
    const [first] = await ctx.db.insert(seeds).values({ name }).onConflictDoNothing().returning();
    if (first) await work(ctx);
  });
