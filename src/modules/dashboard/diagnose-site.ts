import { desc, inArray, sql } from 'drizzle-orm';
import { lastAuditTime } from '#modules/audit/audit.ts';
import { findMissingEngineParts, recognitionEngines } from '#modules/conversion/recognition-engines.ts';
import { mails } from '#modules/mail/mail.table.ts';
import { getIndexStatus } from '#modules/search/index-status.ts';
import { configuredAddress, getSettings } from '#modules/settings/settings.ts';
import { relativeTime } from '#platform/contract/date-time.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import type { Context } from '#platform/server/context.ts';
import { pendingMigrations } from '#platform/server/db/migrate.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { diskSpace } from '#platform/server/storage/disk-space.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { listPrograms, type Program } from '#platform/server/system-programs.ts';
import type { CheckState } from './dashboard.contract.ts';

export type Finding = {
  name: string;
  state: CheckState;
  detail: string;
  /** Message of a driver or of the system, for the command line and the log; never part of an API answer. */
  cause: string;
  /** Features that do not work without it. */
  impact: string;
  /** Fix: a command or the name of a setting. */
  remedy: string;
  required: boolean;
};

type Check = {
  name: string;
  impact: string;
  remedy: string;
  required: boolean;
  /** The check reads tables, so it runs only when all migrations are applied. */
  needsTables?: boolean;
  /** Returns the current state. Throws a CheckHint or CheckFault for the user; other errors are logged. */
  run: (ctx: Context) => Promise<string>;
};

class CheckHint extends Error {}
class CheckFault extends Error {}

/** Action of the audit entry that a backup records. */
export const BACKUP_ACTION = '备份网站';
const OLD_BACKUP_DAYS = 30;
const LOW_DISK_BYTES = 1024 ** 3;

const checks: Check[] = [
  {
    name: '数据库',
    impact: '网站无法使用',
    remedy: '检查 DATABASE_URL',
    required: true,
    run: async ({ db, config }) => {
      const { rows } = await db.execute<{ version: string; size: string }>(
        sql`select current_setting('server_version') as version,
          pg_database_size(current_database()) as size`,
      );
      const kind = config.databaseUrl ? '外部' : '内置';
      return `${kind} PostgreSQL ${rows[0]?.version}，${formatSize(Number(rows[0]?.size))}`;
    },
  },
  {
    name: '数据结构',
    impact: '新的功能会出错',
    remedy: 'npm run -s douku -- migrate',
    required: true,
    run: async ({ db }) => {
      const migrations = await pendingMigrations(db);
      if (migrations.length > 0) throw new CheckFault(`有 ${migrations.length} 个升级未应用`);
      return '最新';
    },
  },
  {
    name: '文件存储',
    impact: '图片和文档无法上传和显示',
    remedy: '检查 STORAGE_URL 或 DATA_DIR 的读写权限和剩余空间',
    required: true,
    run: async ({ storage, config }) => {
      await storage.check().catch((error: unknown) => {
        if (isOutOfSpace(error)) throw new CheckFault('空间已满，只能阅读，不能上传和转换');
        throw error;
      });
      return config.storageUrl ? 'S3，可读写' : '本地文件夹，可读写';
    },
  },
  {
    name: '搜索',
    impact: '搜不到文档；浏览和阅读不受影响',
    remedy: '检查 SEARCH_URL；重建索引：npm run -s douku -- reindex',
    required: false,
    needsTables: true,
    run: async (ctx) => {
      const { engine, state, message, documents, size } = await getIndexStatus(ctx);
      const description = `${engine === 'postgres' ? 'PostgreSQL' : 'OpenSearch'}，${documents} 个文档，${formatSize(size)}`;
      if (state === 'down') throw new CheckFault(message);
      if (state === 'rebuilding') throw new CheckHint(`${description}；${message}`);
      return message ? `${description}；${message}` : description;
    },
  },
  {
    name: '文字识别',
    impact: '扫描件搜不到，也不能复制；其他一切正常',
    remedy: '运行 npm install，或在系统设置的转换配置中换一个识别引擎',
    required: false,
    needsTables: true,
    run: async (ctx) => {
      const { converter } = await getSettings(ctx);
      if (!converter.enable_ocr) return '已关闭';
      const missingParts = await findMissingEngineParts(converter.ocr_engine);
      if (missingParts) throw new CheckHint(`${recognitionEngines[converter.ocr_engine]}：${missingParts}`);
      return recognitionEngines[converter.ocr_engine];
    },
  },
  {
    name: '磁盘',
    impact: '数据库和文件可能写不进去',
    remedy: '清理或扩容 DATA_DIR 所在的磁盘',
    required: true,
    run: async ({ config }) => {
      const { free } = await diskSpace(config.dataDir);
      if (free < LOW_DISK_BYTES) throw new CheckFault(`只剩 ${formatSize(free)}`);
      return `剩余 ${formatSize(free)}`;
    },
  },
  {
    name: '备份',
    impact: '磁盘损坏或误删后，数据找不回来',
    remedy: 'npm run -s douku -- backup',
    required: false,
    needsTables: true,
    run: async (ctx) => {
      const at = await lastAuditTime(ctx, BACKUP_ACTION);
      if (at === null) throw new CheckHint('还没有备份过');
      const description = `上次备份：${relativeTime(at, ctx.now().getTime())}`;
      const days = (ctx.now().getTime() - new Date(at).getTime()) / 86_400_000;
      if (days > OLD_BACKUP_DAYS) throw new CheckHint(description);
      return description;
    },
  },
  {
    name: '邮件',
    impact: '找回密码等邮件不会寄出，只进入发件箱',
    remedy: '在系统设置的邮箱配置中填写，或设置 SMTP_URL',
    required: false,
    needsTables: true,
    run: async (ctx) => {
      const { email } = await getSettings(ctx);
      if (!ctx.config.smtpUrl && !(email.enable && email.host)) throw new CheckHint('没有设置邮件服务器');
      const [last] = await ctx.db
        .select({ status: mails.status, error: mails.error })
        .from(mails)
        .where(inArray(mails.status, ['sent', 'failed']))
        .orderBy(desc(mails.id))
        .limit(1);
      if (last?.status === 'failed') throw new CheckHint(`最近一封没有寄出：${last.error}`);
      return ctx.config.smtpUrl ? '使用 SMTP_URL' : `使用 ${email.host}`;
    },
  },
  {
    name: '网站地址',
    impact: '邮件和站点地图里的链接只在本机有效',
    remedy: '设置 PUBLIC_URL，或系统设置中的网站域名',
    required: false,
    needsTables: true,
    run: async (ctx) => {
      const address = configuredAddress(ctx, await getSettings(ctx));
      if (!address) throw new CheckHint('没有设置');
      return address;
    },
  },
];

/** The message of the underlying error, without the query. */
function rootCauseMessage(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}

async function runCheck(ctx: Context, check: Check): Promise<Finding> {
  const { name, impact, remedy, required } = check;
  const commonFields = { name, impact, remedy, required };
  try {
    return { ...commonFields, state: 'ok', detail: await check.run(ctx), cause: '' };
  } catch (error) {
    if (error instanceof CheckHint) return { ...commonFields, state: 'hint', detail: error.message, cause: '' };
    if (error instanceof CheckFault) return { ...commonFields, state: 'bad', detail: error.message, cause: '' };
    ctx.log.error({ err: error, check: name }, 'a check of the site failed');
    return { ...commonFields, state: 'bad', detail: '检查没有通过，原因见日志', cause: rootCauseMessage(error) };
  }
}

const programFinding = ({ name, purpose, isInstalled, required, use, package: debian }: Program): Finding => ({
  name,
  state: isInstalled ? 'ok' : required ? 'bad' : 'hint',
  detail: isInstalled ? '已安装' : '没有安装',
  cause: '',
  impact: use === 'optional' ? purpose : `${purpose}无法进行`,
  remedy: `apt-get install -y --no-install-recommends ${debian}`,
  required,
});

/** The sandbox may be installed but not permitted to isolate, for example in a container. */
async function programFindingOnThisNode({ config }: Context, program: Program): Promise<Finding> {
  const finding = programFinding(program);
  if (config.mode === 'web' && !program.isInstalled)
    return { ...finding, state: 'ok', detail: '没有安装，这个节点只提供网站，不需要' };
  // A node that only serves the website runs no conversions.
  const isSandbox = config.mode !== 'web' && program.commands?.includes('bwrap');
  if (!isSandbox || !program.isInstalled || (await isSandboxAvailable())) return finding;
  return {
    ...finding,
    state: program.required ? 'bad' : 'hint',
    detail: '已安装，但系统不允许它建立沙箱',
    remedy: '允许非特权用户命名空间，见 docs/operators/systemd.md 和 docker.md',
  };
}

export async function diagnoseSite(ctx: Context): Promise<Finding[]> {
  const programs = (await listPrograms()).filter(({ use }) => use !== 'tests');
  const isCurrent = (await pendingMigrations(ctx.db)).length === 0;
  const runnableChecks = checks.filter(({ needsTables }) => isCurrent || !needsTables);
  return [
    ...(await Promise.all(runnableChecks.map((check) => runCheck(ctx, check)))),
    ...(await Promise.all(programs.map((program) => programFindingOnThisNode(ctx, program)))),
  ];
}
