import { eq, inArray, sql } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { findBackgroundCandidates, findForegroundCandidates } from './conversion-queue.ts';
import { startConversionDispatcher } from './convert/dispatcher.ts';
import { makePdf } from './document-files.fixture.ts';
import { renditions } from './rendition.table.ts';
import { findRendition, pipelineVersion } from './rendition.ts';
import { requeueOutdated } from './requeue-outdated.ts';

const { ctx } = await testApp();
const jobAttempt = { signal: new AbortController().signal, attempt: 1 };
beforeEach(() => ctx.db.delete(renditions));

/** Adds a document that the previous pipeline version converted. */
async function addOutdated(name: string, pages: number): Promise<number> {
  const bytes = makePdf({ pages, text: (page) => `${name} ${page}` });
  const { id } = await addRendition(ctx, `${name}.pdf`, bytes);
  await ctx.db
    .update(renditions)
    .set({
      state: 'ready',
      view: 'pages',
      version: pipelineVersion('pdf') - 1,
      pages,
      ready_pages: pages,
      ready_at: sql`now()`,
      convert_after: null,
    })
    .where(eq(renditions.id, id));
  return id;
}

const addUpload = (name: string) => addRendition(ctx, `${name}.pdf`, makePdf({ text: () => name }));

test('after an upgrade of the pipeline a converted document is queued on the lowest level and stays readable', async () => {
  const id = await addOutdated('upgraded', 3);
  await requeueOutdated.run(ctx, {}, jobAttempt);
  expect(await findRendition(ctx, id)).toMatchObject({
    state: 'ready',
    ready_pages: 3,
    queue_level: 2,
    is_outdated: true,
  });
  expect((await findRendition(ctx, id))?.convert_after).not.toBeNull();
});

test('outdated documents are claimed after new uploads and after slow documents in the background', async () => {
  const outdatedIds = await addOutdated('older', 3);
  await requeueOutdated.run(ctx, {}, jobAttempt);
  const upload = await addUpload('later');
  const slow = await addUpload('slow');
  await ctx.db.update(renditions).set({ queue_level: 1 }).where(eq(renditions.id, slow.id));
  expect(await findForegroundCandidates(ctx)).toEqual([upload.id]);
  expect(await findBackgroundCandidates(ctx, 2)).toEqual([slow.id, outdatedIds]);
  // The last free background slot is never for the lowest level.
  expect(await findBackgroundCandidates(ctx, 1)).toEqual([slow.id]);
});

test('a new upload is converted while outdated documents are still being converted again', async () => {
  const outdatedIds: number[] = [];
  for (const name of ['one', 'two', 'three', 'four']) outdatedIds.push(await addOutdated(name, 600));
  await requeueOutdated.run(ctx, {}, jobAttempt);
  const conversions = startConversionDispatcher(ctx);
  onTestFinished(() => conversions.stop());
  const isStarted = async () =>
    (await Promise.all(outdatedIds.map((id) => findRendition(ctx, id)))).some(
      (rendition) => rendition?.claimed_at !== null,
    );
  await expect.poll(isStarted).toBe(true);
  const { id } = await addUpload('new');
  expect(await waitForRendition(ctx, id)).toMatchObject({ state: 'ready', queue_level: 0 });
  const rows = await ctx.db
    .select({ isOutdated: renditions.is_outdated })
    .from(renditions)
    .where(inArray(renditions.id, outdatedIds));
  expect(rows.filter(({ isOutdated }) => isOutdated).length).toBeGreaterThan(1);
});
