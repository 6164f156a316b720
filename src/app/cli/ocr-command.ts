import { Command } from 'commander';
import { queueExistingRenditions } from '#modules/recognition/queue-existing-renditions.ts';
import { findRecognitionPermit } from '#modules/recognition/recognition-permit.ts';
import { print, withSite } from './with-site.ts';

export const ocrCommand = new Command('ocr')
  .description('把已有文档的扫描页加入文字识别队列；由运行中的网站在空闲时识别')
  .option('--again', '识别过的页也重新识别')
  .action(({ again = false }: { again?: boolean }) =>
    withSite(async ({ ctx }) => {
      const { addedCount, requeuedCount } = await queueExistingRenditions(ctx, { again });
      print(`加入 ${addedCount} 个文件，重新加入 ${requeuedCount} 个；进度在后台的转换队列`);
      const { obstacle } = await findRecognitionPermit(ctx);
      if (obstacle) print(`目前不能识别：${obstacle}`);
    }),
  );
