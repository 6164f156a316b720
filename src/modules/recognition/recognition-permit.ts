import { doOtherConversionsWait } from '#modules/conversion/conversion-queue.ts';
import {
  findMissingEngineParts,
  type RecognitionEngine,
  recognitionEngines,
} from '#modules/conversion/recognition-engines.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { countPagesToday } from './recognition-queue.ts';

/** `engine` and the number of pages that may be recognized now, or null and the reason. */
export type RecognitionPermit =
  | { engine: RecognitionEngine; maxPages: number; obstacle: '' }
  | { engine: null; obstacle: string };

const refuse = (obstacle: string): RecognitionPermit => ({ engine: null, obstacle });

/** Replaced in tests that need no engine. */
export type FindMissingParts = typeof findMissingEngineParts;

/** Whether pages may be recognized now: settings, engine, pages of today, and no conversion that waits. */
export async function findRecognitionPermit(
  ctx: Context,
  findMissingParts: FindMissingParts = findMissingEngineParts,
): Promise<RecognitionPermit> {
  const { converter } = await getSettings(ctx);
  if (!converter.enable_ocr) return refuse('文字识别已关闭');
  const limit = converter.ocr_pages_per_day;
  const maxPages = limit === 0 ? Number.POSITIVE_INFINITY : limit - (await countPagesToday(ctx));
  if (maxPages <= 0) return refuse('今天识别的页数已达上限，明天继续');
  const engine = converter.ocr_engine;
  const missingParts = await findMissingParts(engine);
  if (missingParts) return refuse(`${recognitionEngines[engine]} 不能使用：${missingParts}`);
  const waitsForConversions = await doOtherConversionsWait(ctx, { level: 0, pool: 'foreground', isAdditional: false });
  return waitsForConversions ? refuse('等待文档转换完成') : { engine, maxPages, obstacle: '' };
}
