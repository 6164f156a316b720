import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Command } from 'commander';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/format.ts';
import { pendingMigrations } from '#platform/server/migrate.ts';
import { listPrograms } from '#platform/server/programs.ts';
import { VERSION } from '#platform/server/version.ts';
import { print, type Site, withSite } from './with-site.ts';

type Finding = { level: 'ok' | 'hint' | 'bad'; text: string };
const LOW_DISK_BYTES = 1024 ** 3;

async function attempt(what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { level: 'ok', text: `${what}：${await work()}` };
  } catch (error) {
    return { level: 'bad', text: `${what}：${error instanceof Error ? error.message : error}` };
  }
}

async function examine({ ctx, pool, config }: Site): Promise<Finding[]> {
  const findings = [
    await attempt('数据库', async () => {
      const { rows } = await pool.query<{ version: string; size: string }>(
        `select current_setting('server_version') as version, pg_database_size(current_database()) as size`,
      );
      const [row] = rows;
      const kind = config.databaseUrl ? '外部' : '内置';
      return `${kind} PostgreSQL ${row?.version}，${formatSize(Number(row?.size))}`;
    }),
    await attempt('数据结构', async () => {
      const pending = await pendingMigrations(pool);
      if (pending.length > 0)
        throw new Error(`有 ${pending.length} 个升级未应用，请运行 douku migrate`);
      return '最新';
    }),
    await attempt('文件存储', async () => {
      await ctx.storage.check();
      return config.storageUrl ? 'S3，可读写' : '本地文件夹，可读写';
    }),
    await attempt('磁盘', async () => {
      const { bavail, bsize } = await statfs(existsSync(config.dataDir) ? config.dataDir : '/');
      const free = bavail * bsize;
      if (free < LOW_DISK_BYTES) throw new Error(`只剩 ${formatSize(free)}，请清理或扩容`);
      return `剩余 ${formatSize(free)}`;
    }),
  ];
  for (const {
    name,
    purpose,
    isInstalled,
    required,
    use,
    package: debian,
  } of await listPrograms()) {
    if (isInstalled) findings.push({ level: 'ok', text: `${name}：已安装` });
    else {
      const level = required && use === 'runtime' ? 'bad' : 'hint';
      findings.push({ level, text: `${name}：未安装（软件包 ${debian}），${purpose}无法进行` });
    }
  }
  if (!config.publicUrl)
    findings.push({
      level: 'hint',
      text: 'PUBLIC_URL 未设置，邮件和站点地图里的链接会使用网站设置中的域名',
    });
  const { email } = await getSettings(ctx);
  if (!config.smtpUrl && !(email.enable && email.host))
    findings.push({ level: 'hint', text: 'SMTP_URL 未设置，邮件只进入发件箱，不会寄出' });
  return findings;
}

const signs = { ok: '✓', hint: '·', bad: '✗' };

export const doctorCommand = new Command('doctor')
  .description('检查运行环境，并说明缺少什么、因此什么不能用')
  .action(() =>
    withSite(
      async (site) => {
        print(`豆库 ${VERSION}，Node ${process.version}，数据文件夹 ${site.config.dataDir}`);
        const findings = await examine(site);
        for (const { level, text } of findings) print(`${signs[level]} ${text}`);
        const bad = findings.filter(({ level }) => level === 'bad').length;
        print(bad === 0 ? '一切正常' : `有 ${bad} 处需要处理`);
        if (bad > 0) process.exitCode = 1;
      },
      { migrated: false },
    ),
  );
