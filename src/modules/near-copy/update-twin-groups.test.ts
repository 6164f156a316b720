import { asc, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { documents, documentTwins } from '#modules/document/document.table.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocumentWithText, makeText } from './near-copy.fixture.ts';
import { sketchDocuments, sketchRemainingFiles } from './sketch-documents.ts';

const { ctx } = await testApp();
const uploader = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const attempt = { signal: new AbortController().signal, attempt: 1 };
const compare = (...files: File[]) => sketchDocuments.run(ctx, { id: files.map(({ id }) => id) }, attempt);

type File = Awaited<ReturnType<typeof addDocumentWithText>>;
/** Another text for each test. */
let seed = 0;
beforeEach(() => {
  seed += 1;
});
const add = (text: string) => addDocumentWithText(ctx, uploader, text, { category_id });

/** The documents that are in the same group as this one, without it. */
async function twinsOf({ id }: File): Promise<number[]> {
  const rows = await ctx.db.select().from(documentTwins).orderBy(asc(documentTwins.document_id));
  const group = rows.find(({ document_id }) => document_id === id)?.twin_group;
  return rows.filter((row) => row.twin_group === group && row.document_id !== id).map((row) => row.document_id);
}

describe('the twins of a document', () => {
  test('are the documents with nearly the same text, whichever is compared first', async () => {
    const text = makeText(1_000, seed);
    const [first, second, third] = [await add(text), await add(`${text}。`), await add(text.slice(0, 980))];
    await compare(third);
    expect(await twinsOf(third)).toEqual([]);
    await compare(first);
    expect(await twinsOf(third)).toEqual([first.id]);
    await compare(second);
    expect(await twinsOf(first)).toEqual([second.id, third.id]);
  });

  test('are not those with a similar text or a part of it', async () => {
    const text = makeText(1_000, seed);
    const [whole, part] = [await add(text), await add(text.slice(0, 500))];
    const similar = await add(text.slice(0, 750) + makeText(250, seed + 500));
    await compare(whole, part, similar);
    for (const each of [whole, part, similar]) expect(await twinsOf(each)).toEqual([]);
  });

  test('are all nearly equal to the oldest, so that many small changes do not join different texts', async () => {
    const text = makeText(1_000, seed);
    const withOtherStart = (count: number) => makeText(count, seed + 500) + text.slice(count);
    const versions = [
      await add(text),
      await add(withOtherStart(60)),
      await add(withOtherStart(120)),
      await add(withOtherStart(180)),
    ];
    await compare(...versions);
    const [first, second, third, last] = versions;
    expect(first && (await twinsOf(first))).toEqual([second?.id]);
    expect(third && (await twinsOf(third))).toEqual([last?.id]);
  });

  test('are the documents of the same file', async () => {
    const [file, other] = [await add(makeText(1_000, seed)), await add(makeText(1_000, seed + 500))];
    await ctx.db.update(documents).set({ rendition_id: file.renditionId }).where(eq(documents.id, other.id));
    await compare(other);
    expect(await twinsOf(file)).toEqual([other.id]);
  });

  test('change when the text of one changes, and the change is announced', async () => {
    const text = makeText(1_000, seed);
    const [first, second, third] = [await add(text), await add(`${text}。`), await add(`，${text}`)];
    await compare(first, second, third);
    expect(await twinsOf(first)).toEqual([second.id, third.id]);
    await waitForEventDelivery(ctx);
    const announcedNames = new Set<string | null>();
    const stopListening = ctx.liveCache.onAnyInvalidation((name) => announcedNames.add(name));
    await ctx.storage.put(first.keys.text, Buffer.from(makeText(1_000, seed + 500)));
    // As after text recognition.
    await ctx.db.update(renditions).set({ recognized_pages: 1 }).where(eq(renditions.id, first.renditionId));
    await compare(first);
    expect(await twinsOf(first)).toEqual([]);
    expect(await twinsOf(second)).toEqual([third.id]);
    await waitForEventDelivery(ctx);
    await expect
      .poll(() => [...announcedNames])
      .toEqual(expect.arrayContaining([first, second, third].map(({ id }) => `document:${id}`)));
    stopListening();
  });

  test('are found at night for files that were compared before groups existed', async () => {
    const text = makeText(1_000, seed);
    const [first, second] = [await add(text), await add(`${text}。`)];
    await sketchRemainingFiles.run(ctx, {}, attempt);
    expect(await twinsOf(first)).toEqual([second.id]);
  });
});
