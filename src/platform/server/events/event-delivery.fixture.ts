import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { events } from './event.table.ts';

/** Returns when the running site has delivered all events to every consumer. */
export async function waitForEventDelivery(ctx: Context): Promise<void> {
  for (;;) {
    const undeliveredEvents = await ctx.db.select({ id: events.id }).from(events).limit(1);
    if (undeliveredEvents.length === 0) return;
    await sleep(10);
  }
}
