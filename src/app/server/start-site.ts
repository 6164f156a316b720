import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startConversionDispatcher } from '#modules/conversion/convert/dispatcher.ts';
import { requeuePendingMails } from '#modules/mail/mail.ts';
import { startRecognitionDispatcher } from '#modules/recognition/recognition-dispatcher.ts';
import { indexOnChange } from '#modules/search/index/index-on-change.ts';
import { warmUpSearch } from '#modules/search/index/warm-up-search.ts';
import { hasMailServer } from '#modules/settings/settings.ts';
import { type Config, ConfigError, loadConfig } from '#platform/server/config.ts';
import { migrate, withSetupLock } from '#platform/server/db/migrate.ts';
import { startEventDelivery } from '#platform/server/events/deliver-events.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';
import { PostgresStartError } from '#platform/server/postgres/start-error.ts';
import { buildContext, type Runtime } from './build-context.ts';
import { type Closer, closeInReverse } from './close-in-reverse.ts';
import { eventConsumers } from './event-consumers.ts';
import { jobs, schedules } from './jobs.ts';
import type { PageSource } from './render-page.ts';
import { scaleWebProcesses } from './scale-web-processes.ts';
import { seedSite } from './seed-site.ts';
import { serveRequests } from './serve-requests.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { createWebProcesses } from './web-processes.ts';

/** The message is one line for the operator. */
export class StartError extends Error {}

const printLine = (line: string) => process.stdout.write(`${line}\n`);

const portInUseError = ({ port }: Config) =>
  new StartError(`端口 ${port} 已被占用，请用 PORT 换一个端口，例如：PORT=${port + 1} npm start`);

/** Called before the database starts, so that the start fails fast if the port is in use. */
function ensurePortFree(config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? portInUseError(config)
          : new StartError(`无法监听 ${config.host}:${config.port}（HOST、PORT）：${error.message}`),
      ),
    );
    probe.listen(config.port, config.host, () => probe.close(() => resolve()));
  });
}

type StartOptions = {
  /** Not called on a node that serves no pages. */
  loadPages: () => Promise<PageSource>;
  drainMs: number;
};

async function startSiteOrThrow({ loadPages, drainMs }: StartOptions): Promise<void> {
  const config = loadConfig();
  const log = createLog(config.logLevel);
  const servesRequests = config.mode !== 'worker';
  if (servesRequests) await ensurePortFree(config);
  const pages = servesRequests ? await loadPages() : null;

  const postgres = config.databaseUrl ? null : await startPostgres({ dataDir: join(config.dataDir, 'postgres'), log });
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? '';
  const closers: Closer[] = [async () => postgres?.stop()];
  const closeAll = () => closeInReverse(closers);

  let password: string | null = null;
  try {
    const { ctx, pool, close } = await buildContext(config, databaseUrl, log);
    closers.push(close);
    password = await withSetupLock(pool, async () => {
      const appliedNames = await migrate(pool);
      if (appliedNames.length > 0) log.info({ applied: appliedNames }, 'database migrated');
      return seedSite(ctx);
    });
    await ctx.jobs.start(jobs, ctx, { runJobs: config.mode !== 'web' });
    closers.push(startEventDelivery(ctx, eventConsumers).stop);
    if (config.mode !== 'web') {
      await requeuePendingMails(ctx);
      const tz = await ctx.timeZone();
      for (const { job, cron } of schedules) await ctx.jobs.schedule(job, cron, {}, { tz });
      const stopListening = indexOnChange(ctx);
      closers.push(async () => stopListening());
      closers.push(startConversionDispatcher(ctx).stop);
      closers.push(startRecognitionDispatcher(ctx).stop);
    }
    if (pages) closers.push(await startServing({ config, databaseUrl, log, pages, drainMs }, { ctx, pool }));
    printAddress(config);
    if (servesRequests)
      warmUpSearch(ctx).catch((error) =>
        log.warn({ err: error }, 'cannot warm up the search index, the first search will be slow'),
      );
    if (!(await hasMailServer(ctx)))
      printLine('还没有配置邮件服务：邮件只进入后台的发件箱，不会寄出。请设置 SMTP_URL，或在后台的邮箱配置里启用。');
  } catch (error) {
    await closeAll().catch((closeError) => log.error({ err: closeError }, 'closing after a failed start failed'));
    throw error;
  } finally {
    // Printed at the end of the output, and also after a failed start, because it cannot be shown again.
    if (password) printPassword(password);
  }
  stopOnSignal(closeAll);
}

type ServingOptions = { config: Config; databaseUrl: string; log: Logger; pages: PageSource; drainMs: number };

/** Serves requests in this process and in the additional web processes. Returns a function that stops all of them. */
async function startServing(
  { config, databaseUrl, log, pages, drainMs }: ServingOptions,
  runtime: Pick<Runtime, 'ctx' | 'pool'>,
): Promise<() => Promise<void>> {
  const { host, webProcesses: processCount } = config;
  // In development the pages of this process change with the code, so there is only this one.
  const isPortShared = processCount > 1 && pages.isImmutable;
  const webProcesses = createWebProcesses(log);
  const { connectMetrics } = webProcesses;
  const options = { log, pages, port: config.port, host, isPortShared, drainMs, connectMetrics };
  const server = await serveRequests(runtime, options).catch((error) => {
    throw error.code === 'EADDRINUSE' ? portInUseError(config) : error;
  });
  const scaleOut = async () => {
    await webProcesses.start(processCount - 1, { databaseUrl, port: server.port, processCount });
    server.closeConnections();
    log.info({ processes: processCount }, 'additional web processes started');
  };
  const scaleIn = async () => {
    await webProcesses.stop('scaling in');
    log.info('additional web processes ended');
  };
  const onError = (error: unknown) => log.error({ err: error }, 'starting or ending web processes failed');
  const isScaling = isPortShared && config.webProcessesScaling === 'auto';
  const stopScaling = isScaling ? scaleWebProcesses({ processCount, scaleOut, scaleIn, onError }) : null;
  if (isPortShared && !isScaling) await scaleOut();
  return async () => {
    stopScaling?.();
    await Promise.all([server.stop(), webProcesses.stop('node stops')]);
  };
}

function printAddress({ mode, host, port, publicUrl }: Config): void {
  if (mode === 'worker') printLine('豆库的后台任务已启动');
  else {
    const hostname = ['0.0.0.0', '::', ''].includes(host) ? 'localhost' : host;
    printLine(`豆库已启动：${publicUrl ?? `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`}`);
  }
}

function printPassword(password: string): void {
  const line = '─'.repeat(48);
  printLine(`
${line}
  管理员账号：admin
  管理员密码：${password}

  密码只显示这一次，请登录后尽快修改。
  遗失时可以重设：npm run -s douku -- user password admin
${line}
`);
}

/** Starts the server of this process and stops it on a signal; a failed start ends the process. */
export async function startSite(options: StartOptions): Promise<void> {
  try {
    await startSiteOrThrow(options);
  } catch (error) {
    const operatorErrors = [ConfigError, StartError, PostgresStartError];
    const isForOperator = operatorErrors.some((errorClass) => error instanceof errorClass);
    const text = error instanceof Error ? (isForOperator ? error.message : error.stack) : error;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}
