import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findMissingEngineParts } from '#modules/conversion/recognition-engines.ts';
import { pdfWithPicture } from '#modules/conversion/scanned-pdf.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { recognitionTasks } from './recognition.table.ts';
import { startRecognitionDispatcher } from './recognition-dispatcher.ts';
import { recognizeStep } from './recognize-step.ts';

/** The engine is an optional package. */
const hasEngine = (await findMissingEngineParts('paddle')) === '';
const WORD = '石渠阁';
const PICTURE_PAGE = { operators: 'q 595 0 0 842 0 0 cm /Im Do Q' };
const TYPED_PAGE = { operators: 'BT /F1 14 Tf 60 700 Td (Typed text of the second page) Tj ET' };

/** One line of text, so that the recognition is quick. */
const drawScan = () =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="827" height="1170"><rect width="100%" height="100%" fill="#fff"/>
        <text x="80" y="200" font-family="Noto Serif CJK SC" font-size="44">${WORD}藏书目录</text></svg>`,
    ),
  )
    .png()
    .toBuffer();

test.runIf(hasEngine)(
  'the scanned page of a PDF is readable, then recognized, found and marked; typed text stays',
  async () => {
    const { app, ctx } = await testApp({ runJobs: true });
    const fetchJson = async (path: string) => (await app.inject({ url: `/api/v1/document${path}` })).json();
    const owner = await newPublisher(ctx);
    const id = await owner.publish(await pdfWithPicture(await drawScan(), [PICTURE_PAGE, TYPED_PAGE]), '.pdf');
    expect(await fetchJson(`/recognition?id=${id}`)).toEqual({ pages: 1, recognized: 0, pending: true });
    expect(await fetchJson(`/pages?id=${id}`)).toMatchObject({ readable: 2 });

    const dispatcher = startRecognitionDispatcher(ctx, {
      // With a low priority the test would take minutes on a busy machine.
      recognize: (ctx, lease, step) => recognizeStep(ctx, lease, { ...step, nice: 0 }),
      findMissingParts: findMissingEngineParts,
    });
    const readTask = async () => (await ctx.db.select().from(recognitionTasks))[0];
    await expect.poll(async () => (await readTask())?.state).toBe('done');
    await dispatcher.stop();

    expect(await fetchJson(`/recognition?id=${id}`)).toEqual({ pages: 1, recognized: 1, pending: false });
    const { page } = await fetchJson(`/text?id=${id}`);
    expect(page).toMatchObject([
      { recognized: true, paragraphs: [expect.stringContaining(WORD)] },
      { recognized: false, paragraphs: ['Typed text of the second page'] },
    ]);
    expect(await fetchJson(`/find?id=${id}&wd=${encodeURIComponent(WORD)}`)).toMatchObject({ page: [{ page: 1 }] });
    await expect.poll(async () => (await fetchJson(`?id=${id}`)).description).toContain(WORD);
    const [[word]] = (await fetchJson(`/words?id=${id}`)).page[0].lines;
    const [, x, y, width] = word;
    // 80 of 827 pixels from the left, 7 characters of 44 pixels.
    expect([Math.round(x / 100), Math.round(width / 1_000), Math.round(y / 1_000)]).toEqual([10, 4, 2]);
  },
);
