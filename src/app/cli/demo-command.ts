import { Command } from 'commander';
import { inArray } from 'drizzle-orm';
import { addActivity } from '#app/demo/add-activity.ts';
import { addDocuments, countOtherDocuments, waitForConversions } from '#app/demo/add-documents.ts';
import { demoEmails } from '#app/demo/create-demo-users.ts';
import { readDemoDocuments } from '#app/demo/read-demo-documents.ts';
import { setUpHomePage } from '#app/demo/set-up-home-page.ts';
import { eventConsumers } from '#app/server/event-consumers.ts';
import { jobs } from '#app/server/jobs.ts';
import { seedSite } from '#app/server/seed-site.ts';
import { users } from '#modules/account/account.table.ts';
import { startConversionDispatcher } from '#modules/conversion/convert/dispatcher.ts';
import type { Context } from '#platform/server/context.ts';
import { migrate, withSetupLock } from '#platform/server/db/migrate.ts';
import { startEventDelivery } from '#platform/server/events/deliver-events.ts';
import { CommandError, print, withSite } from './with-site.ts';

/** The demo belongs into an empty site. */
async function assertNoOtherDocuments(ctx: Context): Promise<void> {
  const demoUsers = await ctx.db.select({ id: users.id }).from(users).where(inArray(users.email, demoEmails));
  const count = await countOtherDocuments(
    ctx,
    demoUsers.map(({ id }) => id),
  );
  if (count > 0) throw new CommandError(`网站里已有 ${count} 个自己的文档，没有加入示例；确实需要时请加上 --force`);
}

export const demoCommand = new Command('demo')
  .description('在空的网站里放入一批示例文档，各种类型都有；再次运行不会重复。与网站用同一个 DATA_DIR')
  .option('--force', '网站里已有别的文档时也放入')
  .action(({ force = false }: { force?: boolean }) =>
    withSite(
      async ({ ctx, pool }) => {
        const startedAt = Date.now();
        const admin = await withSetupLock(pool, async () => {
          await migrate(pool);
          return seedSite(ctx);
        });
        if (admin) print(`管理员账号 admin，密码 ${admin}（只显示这一次）`);
        if (!force) await assertNoOtherDocuments(ctx);
        await ctx.jobs.start(jobs, ctx, { runJobs: true });
        const eventDelivery = startEventDelivery(ctx, eventConsumers);
        const conversions = startConversionDispatcher(ctx);
        const demoDocuments = readDemoDocuments();
        const report = await addDocuments(ctx, demoDocuments, print);
        const { addedDocuments, existingCount, missingExtensions, users: demoUsers } = report;
        if (missingExtensions.length > 0)
          print(`本机缺少 LibreOffice 或 calibre，没有制作：${missingExtensions.join('、')}（用 douku doctor 查看）`);
        const unfinishedRows = await waitForConversions(ctx, demoDocuments, print);
        await conversions.stop();
        const [user] = demoUsers;
        if (user && (await addActivity(ctx, demoUsers))) {
          await setUpHomePage({ ...ctx, user });
          print('示例用户已互相关注、评分、收藏和评论，首页有了横幅和友链');
        }
        await eventDelivery.stop();
        for (const { title, reason } of unfinishedRows) print(`  ${title}：${reason}`);
        const byExtension = Map.groupBy(addedDocuments, ({ extension }) => extension);
        if (addedDocuments.length > 0)
          print([...byExtension].map(([extension, list]) => `${extension} ${list.length}`).join('，'));
        const seconds = Math.round((Date.now() - startedAt) / 1000);
        print(`加入 ${addedDocuments.length} 个示例文档，已有 ${existingCount} 个，用时 ${seconds} 秒`);
      },
      { migrated: false },
    ),
  );
