import { eq, sql } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Rendition } from '#modules/conversion/rendition.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { readRenditionText } from '#modules/recognition/read-rendition-text.ts';
import { finalizeHash } from '#modules/text/word-hash.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { nearCopyKeys, nearCopySketches } from './near-copy.table.ts';
import { hashPicture, pictureKeys } from './picture-hash.ts';
import { createTextSketch, lettersOf } from './text-sketch.ts';

export type Sketch = { text: Uint32Array; pictures: bigint[] };

/** Files are compared when they share one of this number of lowest hashes. */
const TEXT_KEYS = 32;
/** Pages of documents with fewer letters are pictures. Pages of short texts look similar without being copies. */
const MIN_EXTRACTED_LETTERS = 20;
/** The first page with a picture is one of these. */
const MAX_BLANK_PAGES = 5;
/** Distinguishes keys of pictures from those of texts. */
const PICTURE_KEY_OFFSET = 0x70_00_00_00;

export const keysOf = ({ text, pictures }: Sketch): number[] => {
  const [firstPicture] = pictures;
  const picture = firstPicture === undefined ? [] : pictureKeys(firstPicture);
  const keys = [...text.slice(0, TEXT_KEYS), ...picture.map((key) => finalizeHash(PICTURE_KEY_OFFSET + key))];
  // The column is signed.
  return keys.map((key) => key | 0);
};

const decodeTextHashes = (bytes: Buffer): Uint32Array =>
  Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));

type SketchRow = Pick<typeof nearCopySketches.$inferSelect, 'text_hashes' | 'picture_hashes'>;
export const toSketch = ({ text_hashes, picture_hashes }: SketchRow): Sketch => ({
  text: decodeTextHashes(text_hashes),
  pictures: picture_hashes,
});

export function encodeTextHashes(hashes: Uint32Array): Buffer {
  const bytes = Buffer.alloc(hashes.length * 4);
  for (const [index, hash] of hashes.entries()) bytes.writeUInt32LE(hash, index * 4);
  return bytes;
}

async function hashPage(ctx: Context, rendition: Rendition, page: number): Promise<bigint | null> {
  try {
    return await hashPicture(await ctx.storage.read(renditionStorageKeys(rendition).smallPage(page)));
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

/** Hashes of the first page that is not blank, the middle and the last one; none if one of them is missing. */
async function hashPictures(ctx: Context, rendition: Rendition): Promise<bigint[]> {
  const { pages } = rendition;
  for (let first = 1; first <= Math.min(pages, MAX_BLANK_PAGES); first += 1) {
    const hash = await hashPage(ctx, rendition, first);
    if (hash === null) continue;
    const otherPages = [...new Set([Math.ceil((first + pages) / 2), pages])].filter((page) => page > first);
    const hashes = [hash, ...(await Promise.all(otherPages.map((page) => hashPage(ctx, rendition, page))))];
    return hashes.filter((each) => each !== null);
  }
  return [];
}

async function createSketch(ctx: Context, rendition: Rendition): Promise<Sketch> {
  const extractedText = await readRenditionText(ctx, { ...rendition, recognized_pages: 0 });
  if (rendition.view !== 'pages' || lettersOf(extractedText).length >= MIN_EXTRACTED_LETTERS)
    return { text: createTextSketch(extractedText), pictures: [] };
  const text = createTextSketch(await readRenditionText(ctx, rendition));
  return { text, pictures: await hashPictures(ctx, rendition) };
}

/** The current sketch of a completely converted file, created if it is missing or outdated; null for other files. */
export async function ensureSketch(ctx: Context, renditionId: number): Promise<Sketch | null> {
  const [rendition] = await ctx.db.select().from(renditions).where(eq(renditions.id, renditionId));
  if (rendition?.state !== 'ready') return null;
  const [row] = await ctx.db.select().from(nearCopySketches).where(eq(nearCopySketches.rendition_id, renditionId));
  if (row && row.version === rendition.version && row.recognized_pages === rendition.recognized_pages)
    return toSketch(row);
  const sketch = await createSketch(ctx, rendition);
  try {
    await storeSketch(ctx, rendition, sketch);
  } catch (error) {
    // Files can be compared while the disk is full. A nightly job stores the sketch later.
    if (!isOutOfSpace(error)) throw error;
    ctx.log.warn({ err: error, rendition: renditionId }, 'no room to store a sketch');
  }
  return sketch;
}

const storeSketch = (
  ctx: Context,
  { id, version, recognized_pages }: Pick<Rendition, 'id' | 'version' | 'recognized_pages'>,
  sketch: Sketch,
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const values = {
      version,
      recognized_pages,
      text_hashes: encodeTextHashes(sketch.text),
      picture_hashes: sketch.pictures,
      // The new sketch is not compared yet.
      twin_group: null,
    };
    // Locks the row, so that two processes do not add the keys of two sketches.
    await ctx.db
      .insert(nearCopySketches)
      .values({ rendition_id: id, ...values })
      .onConflictDoUpdate({ target: nearCopySketches.rendition_id, set: values });
    await ctx.db.delete(nearCopyKeys).where(eq(nearCopyKeys.rendition_id, id));
    await ctx.db.execute(sql`insert into ${nearCopyKeys} (key, rendition_id)
      select key, ${id} from unnest(${sql.param(keysOf(sketch))}::int[]) key on conflict do nothing`);
  });
