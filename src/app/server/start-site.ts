import { createServer } from 'node:net';
import { join } from 'node:path';
import { startConversions } from '#modules/conversion/convert/dispatcher.ts';
import { requeuePendingMails } from '#modules/mail/mail.ts';
import { indexOnChange } from '#modules/search/index/index-on-change.ts';
import { prepareIndex } from '#modules/search/index/prepare-index.ts';
import { hasMailServer } from '#modules/settings/settings.ts';
import { type Config, ConfigError, loadConfig } from '#platform/server/config.ts';
import { migrate, withSetupLock } from '#platform/server/db/migrate.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';
import { PostgresStartError } from '#platform/server/postgres/start-error.ts';
import { buildContext } from './build-context.ts';
import { buildServer } from './build-server.ts';
import { type Closer, closeInReverse } from './close-in-reverse.ts';
import { drain } from './drain.ts';
import { jobs, schedules } from './jobs.ts';
import type { PageSource } from './render-page.ts';
import { seed } from './seed.ts';

const STOP_LIMIT_MS = 30_000;

/** A failure whose one line is meant for the operator. */
export class StartError extends Error {}

const say = (line: string) => process.stdout.write(`${line}\n`);

const portTaken = ({ port }: Config) =>
  new StartError(`端口 ${port} 已被占用，请用 PORT 换一个端口，例如：PORT=${port + 1} npm start`);

/** Asked before anything is started, so that a taken port costs nothing. */
function ensurePortFree(config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? portTaken(config)
          : new StartError(`无法监听 ${config.host}:${config.port}（HOST、PORT）：${error.message}`),
      ),
    );
    probe.listen(config.port, config.host, () => probe.close(() => resolve()));
  });
}

type StartOptions = {
  /** Where the pages come from; not called on a node that serves none. */
  openPages: () => Promise<PageSource>;
  drainMs: number;
};

async function start({ openPages, drainMs }: StartOptions): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const serves = config.mode !== 'worker';
  if (serves) await ensurePortFree(config);
  const pages = serves ? await openPages() : null;

  const postgres = config.databaseUrl ? null : await startPostgres({ dataDir: join(config.dataDir, 'postgres'), log });
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? '';
  const closers: Closer[] = [async () => postgres?.stop()];
  const closeAll = () => closeInReverse(closers);

  let password: string | null = null;
  try {
    const { ctx, pool, close } = await buildContext(config, databaseUrl, log);
    closers.push(close);
    password = await withSetupLock(pool, async () => {
      const applied = await migrate(pool);
      if (applied.length > 0) log.info({ applied }, 'database migrated');
      return seed(ctx);
    });
    await ctx.jobs.start(jobs, ctx, { work: config.mode !== 'web' });
    if (config.mode !== 'web') {
      await requeuePendingMails(ctx);
      const tz = await ctx.timeZone();
      for (const { job, cron } of schedules) await ctx.jobs.schedule(job, cron, {}, { tz });
      const stopListening = indexOnChange(ctx);
      closers.push(async () => stopListening());
      closers.push(startConversions(ctx).stop);
    }
    if (pages) {
      let draining = false;
      const isDraining = () => draining;
      const app = await buildServer(ctx, pool, { log, pages, isDraining });
      closers.push(async () => {
        draining = true;
        if (app.server.listening) await drain(app.server, drainMs);
        await app.close();
      });
      await app.listen({ port: config.port, host: config.host }).catch((error) => {
        throw error.code === 'EADDRINUSE' ? portTaken(config) : error;
      });
    }
    announce(config);
    if (serves) prepareIndex(ctx).catch((error) => log.warn({ err: error }, 'the first search will be slow'));
    if (!(await hasMailServer(ctx)))
      say('还没有配置邮件服务：邮件只进入后台的发件箱，不会寄出。请设置 SMTP_URL，或在后台的邮箱配置里启用。');
  } catch (error) {
    await closeAll().catch((closeError) => log.error({ err: closeError }, 'not all was closed'));
    throw error;
  } finally {
    // Last, where people look; and also when the start failed, as it cannot be shown again.
    if (password) showPassword(password);
  }
  stopOnSignal(closeAll);
}

function announce({ mode, host, port, publicUrl }: Config): void {
  if (mode === 'worker') say('豆库的后台任务已启动');
  else {
    const hostname = ['0.0.0.0', '::', ''].includes(host) ? 'localhost' : host;
    say(`豆库已启动：${publicUrl ?? `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`}`);
  }
}

function showPassword(password: string): void {
  const line = '─'.repeat(48);
  say(`
${line}
  管理员账号：admin
  管理员密码：${password}

  密码只显示这一次，请登录后尽快修改。
  遗失时可以重设：npm run -s douku -- user password admin
${line}
`);
}

/** Finishes what is under way, then leaves; a second signal or the limit ends it at once. */
function stopOnSignal(closeAll: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    closeAll().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The script that started this process was killed: no other process would stop it.
  process.on('disconnect', stop);
  process.channel?.unref();
}

/** Starts the server of this process and stops it on a signal; a failed start ends the process. */
export async function startSite(options: StartOptions): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    const kinds = [ConfigError, StartError, PostgresStartError];
    const forOperator = kinds.some((kind) => error instanceof kind);
    const text = error instanceof Error ? (forOperator ? error.message : error.stack) : error;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}
