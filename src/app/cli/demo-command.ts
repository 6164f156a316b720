import { Command } from 'commander';
import { inArray } from 'drizzle-orm';
import { dressFront } from '#app/demo/demo-front.ts';
import { runLife } from '#app/demo/demo-life.ts';
import { demoEmails } from '#app/demo/demo-users.ts';
import { library } from '#app/demo/library/library.ts';
import { countForeign, runDemo, waitForConversion } from '#app/demo/run-demo.ts';
import { jobs } from '#app/server/jobs.ts';
import { seedSite } from '#app/server/seed-site.ts';
import { users } from '#modules/account/account.table.ts';
import { startConversions } from '#modules/conversion/convert/dispatcher.ts';
import type { Context } from '#platform/server/context.ts';
import { migrate, withSetupLock } from '#platform/server/db/migrate.ts';
import { CommandError, print, withSite } from './with-site.ts';

/** The demo documents are only for a site without other documents. */
async function assertOnlyDemoDocuments(ctx: Context): Promise<void> {
  const demoUsers = await ctx.db.select({ id: users.id }).from(users).where(inArray(users.email, demoEmails));
  const otherDocumentCount = await countForeign(
    ctx,
    demoUsers.map(({ id }) => id),
  );
  if (otherDocumentCount > 0)
    throw new CommandError(`网站里已有 ${otherDocumentCount} 个自己的文档，没有加入示例；确实需要时请加上 --force`);
}

export const demoCommand = new Command('demo')
  .description('在空的网站里放入一批示例文档，各种类型都有；再次运行不会重复。与网站用同一个 DATA_DIR')
  .option('--force', '网站里已有别的文档时也放入')
  .action(({ force = false }: { force?: boolean }) =>
    withSite(
      async ({ ctx, pool }) => {
        const startedAt = Date.now();
        const adminPassword = await withSetupLock(pool, async () => {
          await migrate(pool);
          return seedSite(ctx);
        });
        if (adminPassword) print(`管理员账号 admin，密码 ${adminPassword}（只显示这一次）`);
        if (!force) await assertOnlyDemoDocuments(ctx);
        await ctx.jobs.start(jobs, ctx, { runJobs: true });
        const conversions = startConversions(ctx);
        const { added, known: existingCount, missing, people } = await runDemo(ctx, library, print);
        if (missing.length > 0)
          print(`本机缺少 LibreOffice 或 calibre，没有制作：${missing.join('、')}（用 douku doctor 查看）`);
        const unfinished = await waitForConversion(ctx, library, print);
        await conversions.stop();
        const [host] = people;
        if (host && (await runLife(ctx, people))) {
          await dressFront({ ...ctx, user: host });
          print('示例用户已互相关注、评分、收藏和评论，首页有了横幅和友链');
        }
        for (const { title, reason } of unfinished) print(`  ${title}：${reason}`);
        const types = Map.groupBy(added, ({ ext }) => ext);
        if (added.length > 0) print([...types].map(([ext, list]) => `${ext} ${list.length}`).join('，'));
        const seconds = Math.round((Date.now() - startedAt) / 1000);
        print(`加入 ${added.length} 个示例文档，已有 ${existingCount} 个，用时 ${seconds} 秒`);
      },
      { migrated: false },
    ),
  );
