import { eq, inArray, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { categories } from '#modules/category/category.table.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { settingsTestClient } from '#modules/settings/settings.fixture.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { recognitionTasks, recognizedPages } from './recognition.table.ts';
import { startRecognitionDispatcher } from './recognition-dispatcher.ts';
import { RECOGNITION_QUEUE } from './recognition-queue.ts';
import { EngineNotWorking, type recognizeStep } from './recognize-step.ts';
import { countRecognizedPages } from './recognized-page.ts';

type Step = typeof recognizeStep;
const findMissingParts = async () => '';

const { app, ctx, as } = await testApp({ env: { LOG_LEVEL: 'fatal' } });
const settings = settingsTestClient(app, await as.root());
const owner = await newUploader(ctx);

/** Publishes a document of scanned pages and returns the id of its rendition. */
async function addScan(pages: number, categoryIds?: number[]): Promise<number> {
  const category_id = categoryIds ?? (await createCategoryChain(ctx));
  const counts = { pages, ready_pages: pages, scanned_pages: pages };
  const values = { ...counts, view: 'pages', convert_after: null } as const;
  const id = await addConvertedDocument(ctx, owner, { title: `扫描件 ${crypto.randomUUID()}`, category_id }, values);
  await waitForEventDelivery(ctx);
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  return row?.rendition_id ?? 0;
}

const recognizedCount = (id: number) => countRecognizedPages(ctx, id);

async function findTask(id: number) {
  const [task] = await ctx.db.select().from(recognitionTasks).where(eq(recognitionTasks.rendition_id, id));
  return task;
}

/** Records the pages of a task as recognized, at most three in a step. */
function stepsOfThreePages(order: number[] = []): Step {
  return async (ctx, { task }, { maxPages }) => {
    order.push(task.rendition_id);
    const [rendition] = await ctx.db.select().from(renditions).where(eq(renditions.id, task.rendition_id));
    const total = rendition?.scanned_pages ?? 0;
    const finishedCount = await recognizedCount(task.rendition_id);
    const count = Math.min(3, total - finishedCount, maxPages);
    const rows = Array.from({ length: count }, (_, index) => ({
      rendition_id: task.rendition_id,
      page: finishedCount + index + 1,
      text: '识别的文字',
      confidence: 1,
      engine: 'test',
    }));
    if (rows.length > 0) await ctx.db.insert(recognizedPages).values(rows);
    return finishedCount + count === total;
  };
}

async function runUntil(step: Step, isReached: () => Promise<boolean>): Promise<void> {
  const dispatcher = startRecognitionDispatcher(ctx, { recognize: step, findMissingParts });
  await expect.poll(isReached).toBe(true);
  await dispatcher.stop();
}

const isDone = (id: number) => async () => (await findTask(id))?.state === 'done';

beforeEach(async () => {
  await ctx.db.delete(recognitionTasks);
  await ctx.db.delete(recognizedPages);
  await settings.set('converter.enable_ocr', 'true');
  await settings.set('converter.ocr_pages_per_day', '0');
});

test('a published document with scanned pages is queued for recognition', async () => {
  const id = await addScan(2);
  expect(await findTask(id)).toMatchObject({ state: 'waiting', pages: null });
});

test('a document without scanned pages is not queued for recognition', async () => {
  const id = await addScan(0);
  expect(await findTask(id)).toBeUndefined();
});

test('a short document is recognized between the steps of a book that was queued before', async () => {
  const book = await addScan(9);
  const letter = await addScan(1);
  const order: number[] = [];
  await runUntil(stepsOfThreePages(order), isDone(book));
  expect(order).toEqual([letter, book, book, book]);
});

test('documents of a category with recognition switched off, or of one below it, wait until it is switched on', async () => {
  const path = await createCategoryChain(ctx);
  const excludedId = await addScan(1, path);
  const otherId = await addScan(1);
  await ctx.db
    .update(categories)
    .set({ enable_ocr: false })
    .where(eq(categories.id, path[0] ?? 0));
  await runUntil(stepsOfThreePages(), isDone(otherId));
  expect(await findTask(excludedId)).toMatchObject({ state: 'waiting', steps: 0 });
  await ctx.db.update(categories).set({ enable_ocr: true }).where(inArray(categories.id, path));
  await runUntil(stepsOfThreePages(), isDone(excludedId));
});

test('a deleted document is not recognized', async () => {
  const deletedScan = await addScan(1);
  await ctx.db
    .update(documents)
    .set({ deleted_at: ctx.now().toISOString() })
    .where(eq(documents.rendition_id, deletedScan));
  const other = await addScan(1);
  await runUntil(stepsOfThreePages(), isDone(other));
  expect(await findTask(deletedScan)).toMatchObject({ state: 'waiting', steps: 0 });
});

test('no more pages are recognized than the daily limit allows', async () => {
  await settings.set('converter.ocr_pages_per_day', '4');
  const id = await addScan(6);
  await runUntil(stepsOfThreePages(), async () => (await recognizedCount(id)) === 4);
  const queue = await app.inject({ url: '/api/v1/recognition/queue', headers: await as.root() });
  expect(queue.json()).toMatchObject({
    obstacle: '今天识别的页数已达上限，明天继续',
    pages_today: 4,
    pages_per_day: 4,
    totals: { waiting: 1, failed: 0 },
  });
  await settings.set('converter.ocr_pages_per_day', '0');
  await runUntil(stepsOfThreePages(), isDone(id));
});

test('nothing is recognized while recognition is switched off for the site', async () => {
  await settings.set('converter.enable_ocr', 'false');
  const id = await addScan(1);
  const dispatcher = startRecognitionDispatcher(ctx, { recognize: stepsOfThreePages(), findMissingParts });
  await notifyInvalidation(ctx.db, RECOGNITION_QUEUE);
  const queue = await app.inject({ url: '/api/v1/recognition/queue', headers: await as.root() });
  expect(queue.json()).toMatchObject({ is_enabled: false, obstacle: '文字识别已关闭' });
  await dispatcher.stop();
  expect(await findTask(id)).toMatchObject({ state: 'waiting', steps: 0 });
});

test('a task whose worker was killed is taken over when its lease expires', async () => {
  const id = await addScan(1);
  await ctx.db
    .update(recognitionTasks)
    .set({ lease_token: crypto.randomUUID(), lease_until: sql`now() + interval '1 second'` })
    .where(eq(recognitionTasks.rendition_id, id));
  const dispatcher = startRecognitionDispatcher(ctx, { recognize: stepsOfThreePages(), findMissingParts });
  const isDoneAfterWakeUp = async () => {
    await notifyInvalidation(ctx.db, RECOGNITION_QUEUE);
    return isDone(id)();
  };
  await expect.poll(isDoneAfterWakeUp).toBe(true);
  await dispatcher.stop();
});

test('a task fails with its reason after three failed attempts and is retried when an administrator asks for it', async () => {
  const id = await addScan(1);
  await ctx.db.update(recognitionTasks).set({ attempts: 2 });
  await runUntil(
    () => Promise.reject(new Error('Segmentation fault')),
    async () => (await findTask(id))?.state === 'failed',
  );
  const headers = await as.root();
  const { failed } = (await app.inject({ url: '/api/v1/recognition/queue', headers })).json();
  expect(failed).toMatchObject([{ id, reason: '识别程序出错', document: [{ username: expect.any(String) }] }]);
  const response = await app.inject({ method: 'PUT', url: '/api/v1/recognition/retry', headers, payload: {} });
  expect(response.statusCode).toBe(200);
  await runUntil(stepsOfThreePages(), isDone(id));
});

test('a file on most pages of which the engine fails is not tried again', async () => {
  const id = await addScan(1);
  await runUntil(
    () => Promise.reject(new EngineNotWorking(4)),
    async () => (await findTask(id))?.state === 'failed',
  );
  expect(await findTask(id)).toMatchObject({ attempts: 1, reason: '4 页识别失败，识别程序可能不能正常工作' });
});

test('a worker that stops gives its task back without counting an attempt', async () => {
  const id = await addScan(1);
  const startEvent = Promise.withResolvers<void>();
  const recognize: Step = async (_ctx, _lease, { signal }) => {
    startEvent.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  };
  const dispatcher = startRecognitionDispatcher(ctx, { recognize, findMissingParts });
  await startEvent.promise;
  await dispatcher.stop();
  expect(await findTask(id)).toMatchObject({ state: 'waiting', attempts: 0, lease_token: null });
});
