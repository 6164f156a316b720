import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { planImport } from '#app/import/plan-import.ts';
import { runImport } from '#app/import/run-import.ts';
import { jobs } from '#app/server/jobs.ts';
import { findAccountByNameOrEmail } from '#modules/account/login.ts';
import { MAX_PRICE } from '#modules/document/document.contract.ts';
import { ROOT_ID } from '#modules/role/authority.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { CommandError, print, withSite } from './with-site.ts';

const MAX_PRINTED_LINES = 20;
const PROGRESS_INTERVAL = 100;

type Options = { user?: string; category?: string; price?: string; dryRun?: boolean };

const printFirstLines = (title: string, lines: string[]) => {
  if (lines.length === 0) return;
  print(title);
  for (const line of lines.slice(0, MAX_PRINTED_LINES)) print(`  ${line}`);
  if (lines.length > MAX_PRINTED_LINES) print(`  …… 共 ${lines.length} 个`);
};

export const importCommand = new Command('import')
  .description('导入一个文件夹：子文件夹成为分类，文件成为文档；中断后再次运行会继续')
  .argument('<文件夹>', '要导入的文件夹')
  .option('--user <用户名>', '文档归谁所有；不给则为最初的管理员')
  .option('--category <分类>', '放在哪个一级分类之下；不给则用文件夹的名称')
  .option('--price <售价>', '每个文档的售价；不给则免费')
  .option('--dry-run', '只列出将要做的事')
  .action(async (folderArgument: string, { user = 'admin', category, price = '0', dryRun = false }: Options) => {
    const folder = path.resolve(folderArgument);
    if (!(await stat(folder).catch(() => null))?.isDirectory()) throw new CommandError(`没有文件夹 ${folderArgument}`);
    if (!/^\d{1,7}$/.test(price) || Number(price) > MAX_PRICE)
      throw new CommandError(`售价应为 0 到 ${MAX_PRICE} 之间的整数`);
    const plan = await planImport(folder, [category ?? path.basename(folder)]);
    const total = plan.files.reduce((sum, { size }) => sum + size, 0);
    const paths = new Set(plan.files.map(({ categories }) => categories.join(' / ')));
    print(`共 ${plan.files.length} 个文档，${formatSize(total)}，${paths.size} 个分类`);
    printFirstLines('不支持而略过的文件：', plan.skipped);
    if (dryRun) {
      printFirstLines(
        '无法读取的文件：',
        plan.failed.map(({ name, reason }) => `${name}：${reason}`),
      );
      printFirstLines('将使用的分类：', [...paths]);
      printFirstLines(
        '将导入的文档：',
        plan.files.map(({ name }) => name),
      );
      return;
    }
    await withSite(async ({ ctx }) => {
      const account = await findAccountByNameOrEmail(ctx, user);
      if (!account) throw new CommandError(`没有用户 ${user}`);
      await ctx.jobs.start(jobs, ctx, { runJobs: false });
      const { id, username } = account;
      const owner = {
        id,
        username,
        isRoot: id === ROOT_ID,
        permissions: new Set<string>(),
        sessionId: 0,
      };
      const importer = { ...ctx, user: owner };
      const { imported, existing, failed } = await runImport(importer, plan, {
        folder,
        price: Number(price),
        onProgress: ({ imported, existing, failed }) => {
          const processedCount = imported + existing + failed.length;
          if (processedCount % PROGRESS_INTERVAL === 0) print(`${processedCount} / ${plan.files.length}`);
        },
      });
      printFirstLines(
        '没有导入的文件：',
        failed.map(({ name, reason }) => `${name}：${reason}`),
      );
      print(`导入 ${imported} 个，已有 ${existing} 个，失败 ${failed.length} 个；转换由运行中的网站进行`);
      if (failed.length > 0) process.exitCode = 1;
    });
  });
