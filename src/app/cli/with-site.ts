import { join } from 'node:path';
import type pg from 'pg';
import { buildContext } from '#app/server/build-context.ts';
import { type Config, loadConfig } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { pendingMigrations } from '#platform/server/db/migrate.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';

/** The message is one line for the operator at the terminal. */
export class CommandError extends Error {}

export type CommandSite = { ctx: Context; pool: pg.Pool; config: Config };

/**
 * Runs `work` with the database and storage of the site, whether or not the site runs: an embedded database server that
 * does not run is started for the duration of the command.
 */
export async function withSite<T>(
  work: (site: CommandSite) => Promise<T>,
  { migrated: requiresMigratedDatabase = true } = {},
): Promise<T> {
  const config = loadConfig();
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const postgres = config.databaseUrl ? null : await startPostgres({ dataDir: join(config.dataDir, 'postgres'), log });
  try {
    const url = config.databaseUrl ?? postgres?.url ?? '';
    const { ctx, pool, close } = await buildContext(config, url, log);
    try {
      if (requiresMigratedDatabase && (await pendingMigrations(ctx.db)).length > 0)
        throw new CommandError('数据库还没有初始化或不是最新，请先运行 douku migrate，或启动一次网站');
      return await work({ ctx, pool, config });
    } finally {
      await close();
    }
  } finally {
    await postgres?.stop();
  }
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}
