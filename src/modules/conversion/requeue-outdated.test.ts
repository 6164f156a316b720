import { eq, inArray, sql } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addContent, settled } from './conversion.fixture.ts';
import { contents } from './rendition.table.ts';
import { findContent, pipelineVersion } from './rendition.ts';
import { nextBackground, nextForeground } from './conversion-queue.ts';
import { startConversions } from './convert/dispatcher.ts';
import { convertOutdated } from './requeue-outdated.ts';
import { makePdf } from './document-files.fixture.ts';

const { ctx } = await testApp();
const once = { signal: new AbortController().signal, attempt: 1 };
beforeEach(() => ctx.db.delete(contents));

/** A document that the pipeline before the present one converted. */
async function addOutdated(name: string, pages: number): Promise<number> {
  const bytes = makePdf({ pages, text: (page) => `${name} ${page}` });
  const { id } = await addContent(ctx, `${name}.pdf`, bytes);
  await ctx.db
    .update(contents)
    .set({
      state: 'ready',
      view: 'pages',
      version: pipelineVersion('pdf') - 1,
      pages,
      ready_pages: pages,
      ready_at: sql`now()`,
      convert_after: null,
    })
    .where(eq(contents.id, id));
  return id;
}

const addUpload = (name: string) => addContent(ctx, `${name}.pdf`, makePdf({ text: () => name }));

test('after an upgrade of the pipeline a converted document is queued on the lowest level and stays readable', async () => {
  const id = await addOutdated('upgraded', 3);
  await convertOutdated.run(ctx, {}, once);
  expect(await findContent(ctx, id)).toMatchObject({
    state: 'ready',
    ready_pages: 3,
    queue_level: 2,
    is_outdated: true,
  });
  expect((await findContent(ctx, id))?.convert_after).not.toBeNull();
});

test('outdated documents are claimed after new uploads and after slow documents in the background', async () => {
  const outdated = await addOutdated('older', 3);
  await convertOutdated.run(ctx, {}, once);
  const upload = await addUpload('later');
  const slow = await addUpload('slow');
  await ctx.db.update(contents).set({ queue_level: 1 }).where(eq(contents.id, slow.id));
  expect(await nextForeground(ctx)).toEqual([upload.id]);
  expect(await nextBackground(ctx, 2)).toEqual([slow.id, outdated]);
  // The last free place in the background is never for the lowest level.
  expect(await nextBackground(ctx, 1)).toEqual([slow.id]);
});

test('a new upload is converted while outdated documents are still being converted again', async () => {
  const outdated: number[] = [];
  for (const name of ['one', 'two', 'three', 'four']) outdated.push(await addOutdated(name, 600));
  await convertOutdated.run(ctx, {}, once);
  const conversions = startConversions(ctx);
  onTestFinished(() => conversions.stop());
  const isStarted = async () =>
    (await Promise.all(outdated.map((id) => findContent(ctx, id)))).some(
      (content) => content?.claimed_at !== null,
    );
  await expect.poll(isStarted).toBe(true);
  const { id } = await addUpload('new');
  expect(await settled(ctx, id)).toMatchObject({ state: 'ready', queue_level: 0 });
  const rows = await ctx.db
    .select({ isOutdated: contents.is_outdated })
    .from(contents)
    .where(inArray(contents.id, outdated));
  expect(rows.filter(({ isOutdated }) => isOutdated).length).toBeGreaterThan(1);
});
