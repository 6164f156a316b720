import { basename } from 'node:path';
import { Command } from 'commander';
import { restoreBackup } from '#app/backup/restore-backup.ts';
import { writeBackup } from '#app/backup/write-backup.ts';
import { recordAudit } from '#modules/audit/audit.ts';
import { BACKUP_ACTION } from '#modules/dashboard/diagnose-site.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { print, withSite } from './with-site.ts';

export const backupCommand = new Command('backup')
  .description('把数据库和全部文件备份成一个文件；网站可以照常运行')
  .argument('[文件]', '备份文件；默认按日期命名，放在当前文件夹')
  .action((file?: string) =>
    withSite(async (site) => {
      const timestamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
      const target = file ?? `douku-${timestamp}.backup`;
      const { rows, files, size } = await writeBackup(site, target);
      const after = { rows, files, size };
      await recordAudit(site.ctx, { action: BACKUP_ACTION, target: `备份 ${basename(target)}`, after });
      print(`已备份 ${rows} 行数据、${files} 个文件到 ${target}（${formatSize(size)}）`);
    }),
  );

export const restoreCommand = new Command('restore')
  .description('把备份恢复到一个空的数据文件夹；先逐项校验，再写入')
  .argument('<文件>', '备份文件')
  .action((file: string) =>
    withSite(
      async (site) => {
        const { rows, files } = await restoreBackup(site, file);
        print(`已恢复 ${rows} 行数据、${files} 个文件`);
      },
      { migrated: false },
    ),
  );
