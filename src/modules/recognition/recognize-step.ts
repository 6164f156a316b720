import { and, eq, gte } from 'drizzle-orm';
import type { RecognitionEngine } from '#modules/conversion/recognition-engines.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { findRendition, type Rendition } from '#modules/conversion/rendition.ts';
import {
  type RecognizedText,
  type ScannedDocument,
  withScannedDocument,
} from '#modules/conversion/scanned-document.ts';
import type { Context } from '#platform/server/context.ts';
import { recognizedPages } from './recognition.table.ts';
import type { RecognitionLease, RecognitionTask } from './recognition-queue.ts';
import { countRecognizedPages, markPageUnrecognized, storeRecognizedPage } from './recognized-page.ts';
import { updateRecognizedRendition } from './update-recognized-rendition.ts';

/** Loading the models costs as much as a tenth of a page, so a step recognizes several. */
const PAGES_PER_STEP = 10;
/** More failed pages than this, and more than half of all, mean that the engine does not work. */
const MAX_FAILED_PAGES = 3;
/** Followers process the whole text again: they follow each page of a short document, each 20th part of a long one. */
const ANNOUNCED_PARTS = 20;

export type RecognitionStep = {
  engine: RecognitionEngine;
  /** Pages that may still be recognized today. */
  maxPages: number;
  /** Priority of the sandboxed programs, as in the command `nice`. */
  nice: number;
  signal: AbortSignal;
  /** Checked between pages. */
  shouldStop: () => Promise<boolean>;
};

/** The engine ended while it recognized a page; the page is tried once more. */
class PageRecognitionFailed extends Error {
  constructor(page: number) {
    super(`第 ${page} 页识别失败`);
  }
}

/** The engine fails on most pages. */
export class EngineNotWorking extends Error {
  constructor(failedCount: number) {
    super(`${failedCount} 页识别失败，识别程序可能不能正常工作`);
  }
}

/** Recognizes the next pages of a task. Returns whether the task is done. */
export async function recognizeStep(ctx: Context, lease: RecognitionLease, step: RecognitionStep): Promise<boolean> {
  const { task } = lease;
  const rendition = await findRendition(ctx, task.rendition_id);
  if (rendition?.view !== 'pages') return true;
  return withScannedDocument(ctx, { rendition, nice: step.nice, signal: step.signal }, async (document) => {
    const scannedPages = task.pages ?? (await storeScannedPages(ctx, lease, await document.findScannedPages()));
    const pendingPages = await listPendingPages(ctx, task, scannedPages);
    const pages = pendingPages.slice(0, Math.min(PAGES_PER_STEP, step.maxPages));
    const finishedCount =
      pages.length === 0 ? 0 : await recognizePages(ctx, lease, { rendition, document, pages, step });
    const isDone = finishedCount === pendingPages.length;
    if (isDone) await updateRecognizedRendition(ctx, rendition.id);
    return isDone;
  });
}

async function storeScannedPages(ctx: Context, lease: RecognitionLease, pages: number[]): Promise<number[]> {
  await lease.change({ pages });
  const isOfTask = eq(renditions.id, lease.task.rendition_id);
  await ctx.db.update(renditions).set({ scanned_pages: pages.length }).where(isOfTask);
  return pages;
}

async function listPendingPages(ctx: Context, task: RecognitionTask, scannedPages: number[]): Promise<number[]> {
  const rows = await ctx.db
    .select({ page: recognizedPages.page })
    .from(recognizedPages)
    .where(
      and(eq(recognizedPages.rendition_id, task.rendition_id), gte(recognizedPages.recognized_at, task.requested_at)),
    );
  const finishedPages = new Set(rows.map(({ page }) => page));
  return scannedPages.filter((page) => !finishedPages.has(page));
}

type Recognition = { rendition: Rendition; document: ScannedDocument; pages: number[]; step: RecognitionStep };

/** Returns the number of finished pages. A page on which the engine fails twice is left without text. */
async function recognizePages(ctx: Context, lease: RecognitionLease, recognition: Recognition): Promise<number> {
  const { rendition, document, pages, step } = recognition;
  const storedPages = new Set<number>();
  let announcedCount = rendition.recognized_pages;
  const onText = async (page: number, text: RecognizedText) => {
    if (!pages.includes(page) || storedPages.has(page)) return;
    await storeRecognizedPage(ctx, rendition, page, text);
    storedPages.add(page);
    await lease.change({ attempts: 0 });
    const newCount = (await countRecognizedPages(ctx, rendition.id)) - announcedCount;
    if (newCount >= Math.max(1, announcedCount / ANNOUNCED_PARTS))
      announcedCount = await updateRecognizedRendition(ctx, rendition.id);
  };
  const { engine, shouldStop } = step;
  const { failedPage } = await document.recognize({ pages, engine, shouldStop, onText });
  if (failedPage === null) return storedPages.size;
  if (lease.task.attempts === 0 || storedPages.size > 0) throw new PageRecognitionFailed(failedPage);
  await markPageUnrecognized(ctx, rendition.id, failedPage);
  await lease.change({ attempts: 0 });
  ctx.log.warn({ rendition: rendition.id, page: failedPage }, 'the text of a page cannot be recognized');
  await assertEngineWorks(ctx, rendition.id);
  return storedPages.size + 1;
}

/** The task of a broken engine fails, so that an administrator learns of it. */
async function assertEngineWorks(ctx: Context, renditionId: number): Promise<void> {
  const failedCount = await countRecognizedPages(ctx, renditionId, eq(recognizedPages.engine, ''));
  const pageCount = await countRecognizedPages(ctx, renditionId);
  if (failedCount > MAX_FAILED_PAGES && failedCount > pageCount / 2) throw new EngineNotWorking(failedCount);
}
