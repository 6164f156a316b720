import path from 'node:path';
import type pg from 'pg';
import { buildContext } from '#app/server/build-context.ts';
import { eventConsumers } from '#app/server/event-consumers.ts';
import { jobs } from '#app/server/jobs.ts';
import { seedSite } from '#app/server/seed-site.ts';
import { startConversionDispatcher } from '#modules/conversion/convert/dispatcher.ts';
import { loadConfig } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { migrate } from '#platform/server/db/migrate.ts';
import { startEventDelivery } from '#platform/server/events/deliver-events.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';

export type TemporarySite = {
  ctx: Context;
  pool: pg.Pool;
  /** The password of the administrator, if the site was created now. */
  password: string | null;
};

/** Runs `use` with a site in the folder, configured as by `npm start`, and stops it afterwards. */
export async function withTemporarySite(
  dataDir: string,
  options: { runJobs: boolean },
  use: (site: TemporarySite) => Promise<void>,
): Promise<void> {
  const log = createLog('error');
  const postgres = await startPostgres({ dataDir: path.join(dataDir, 'postgres'), log });
  try {
    const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
    const { ctx, pool, close } = await buildContext(config, postgres.url, log);
    try {
      await migrate(pool);
      const password = await seedSite(ctx);
      await ctx.jobs.start(jobs, ctx, options);
      const eventDelivery = startEventDelivery(ctx, eventConsumers);
      const conversions = options.runJobs ? startConversionDispatcher(ctx) : null;
      await use({ ctx, pool, password }).finally(async () => {
        await conversions?.stop();
        await eventDelivery.stop();
      });
    } finally {
      await close();
    }
  } finally {
    await postgres.stop();
  }
}
