import sharp from 'sharp';
import { expect, test } from 'vitest';
import { djvuDocument } from '#modules/conversion/djvu.fixture.ts';
import { findMissingEngineParts } from '#modules/conversion/recognition-engines.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { recognitionTasks } from '#modules/recognition/recognition.table.ts';
import { startRecognitionDispatcher } from '#modules/recognition/recognition-dispatcher.ts';
import { recognizeStep } from '#modules/recognition/recognize-step.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index-documents.ts';

const { app, ctx } = await testApp({ runJobs: true });
const canConvertDjvu = (await isSandboxAvailable()) && (await findProgram('ddjvu')) !== null;
/** The engine is an optional package. */
const hasEngine = (await findMissingEngineParts('paddle')) === '';
const owner = await newPublisher(ctx);

async function searchTitles(wd: string): Promise<string[]> {
  await waitForEventDelivery(ctx);
  await indexQueuedDocuments(ctx);
  const { document } = (await app.inject({ url: '/api/v1/document/search', query: { wd } })).json();
  return document.map(({ title }: { title: string }) => title.replace(/<[^>]*>/g, ''));
}

test.runIf(canConvertDjvu)('the search finds the hidden text of a DjVu page', async () => {
  const text = '(page 0 0 850 1100 (line 80 890 390 940 (word 80 890 390 940 "天禄阁校书记")))';
  await owner.publish(await djvuDocument([{ picturedText: '天禄阁校书记', text }]), '.djvu', { title: '旧书一册' });
  expect(await searchTitles('天禄阁')).toEqual(['旧书一册']);
});

test.runIf(hasEngine)(
  'the search finds the recognized text of a photograph that is turned by its EXIF orientation',
  async () => {
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1170" height="827"><rect width="100%" height="100%" fill="#fff"/><text x="80" y="200" font-family="Noto Serif CJK SC" font-size="44">石渠阁藏书目录</text></svg>`;
    const photograph = await sharp(await sharp(Buffer.from(picture)).rotate(-90).png().toBuffer())
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    await owner.publish(photograph, '.jpg', { title: '一张照片' });
    const dispatcher = startRecognitionDispatcher(ctx, {
      // With a low priority the test would take minutes on a busy machine.
      recognize: (ctx, lease, step) => recognizeStep(ctx, lease, { ...step, nice: 0 }),
      findMissingParts: findMissingEngineParts,
    });
    await expect
      .poll(async () => (await ctx.db.select().from(recognitionTasks)).map(({ state }) => state))
      .toEqual(['done']);
    await dispatcher.stop();
    expect(await searchTitles('石渠阁')).toEqual(['一张照片']);
  },
);
