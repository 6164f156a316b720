import { Command } from 'commander';
import { indexQueuedDocuments, queueAllDocuments } from '#modules/search/index/index-documents.ts';
import { selectSearchEngine } from '#modules/search/select-search-engine.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { print, withSite } from './with-site.ts';

const PROGRESS_INTERVAL = 1_000;

export const reindexCommand = new Command('reindex')
  .description('重建搜索索引；其间照常可以搜索，中断后再次运行会继续')
  .option('--continue', '只收录还在等待的文档')
  .action(async ({ continue: onlyQueued = false }: { continue?: boolean }) => {
    await withSite(async ({ ctx }) => {
      if (!onlyQueued) print(`${await queueAllDocuments(ctx)} 个文档等待收录`);
      let lastReport = 0;
      const indexedCount = await indexQueuedDocuments(
        ctx,
        () => false,
        (count) => {
          if (Math.floor(count / PROGRESS_INTERVAL) === lastReport) return;
          lastReport = Math.floor(count / PROGRESS_INTERVAL);
          print(`${count}`);
        },
      );
      const { documents, size } = await selectSearchEngine(ctx).measure(ctx);
      print(`收录 ${indexedCount} 个；索引共 ${documents} 个文档，${formatSize(size)}`);
    });
  });
