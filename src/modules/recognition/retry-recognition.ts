import { recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import type { recognitionApi } from './recognition.contract.ts';
import { requeueTasks } from './recognition-queue.ts';

/** Recognizes all pages of the given files again, or continues all failed files. */
export const retryRecognition = (ctx: UserContext, { id: ids }: ParsedInputOf<typeof recognitionApi.retry>) =>
  inTransaction(ctx, async (ctx) => {
    const requeuedCount = await requeueTasks(ctx, ids ? { ids, again: true } : { state: 'failed', again: false });
    await recordAudit(ctx, {
      action: ids ? '重新识别文字' : '重试失败的文字识别',
      target: ids ? `文字识别 文件 ${ids.join('、')}` : '文字识别 全部失败的文件',
      after: { requeued: requeuedCount },
    });
    return {};
  });
