import { Command } from 'commander';
import { seedSite } from '#app/server/seed-site.ts';
import { migrate, withSetupLock } from '#platform/server/db/migrate.ts';
import { print, withSite } from './with-site.ts';

export const migrateCommand = new Command('migrate').description('把数据库升级到当前版本，并补上初始内容').action(() =>
  withSite(
    ({ ctx, pool }) =>
      withSetupLock(pool, async () => {
        const appliedNames = await migrate(pool);
        const password = await seedSite(ctx);
        for (const name of appliedNames) print(`已应用 ${name}`);
        if (appliedNames.length === 0) print('数据库已是最新');
        if (password) print(`管理员账号 admin，密码 ${password}（只显示这一次）`);
      }),
    { migrated: false },
  ),
);
