import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { loadImageLibrary } from '#platform/server/load-image-library.ts';
import { watermarkTile } from './watermark-tile.contract.ts';

/** In relation to the page the mark has the same size in every resolution. */
const PAGE_WIDTHS_PER_FONT_SIZE = 46;
/** Larger than any image that the converter writes. */
const MAX_INPUT_PIXELS = 60_000_000;
/** A drawing occupies one processor. */
const MAX_CONCURRENT_DRAWINGS = 2;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

const limitDrawing = pLimit(MAX_CONCURRENT_DRAWINGS);
const imageCache = new LRUCache<string, Buffer>({
  maxSize: MAX_CACHED_BYTES,
  sizeCalculation: ({ length }) => length,
});
const tileCache = new LRUCache<string, Promise<Buffer>>({ max: 100 });

type Size = { width: number; height: number };

/** The mark as a picture. A long text is drawn smaller, because a tile must fit into the image. */
function drawTile(text: string, { width, height }: Size): Promise<Buffer> {
  const key = `${width} ${height} ${text}`;
  const cachedTile = tileCache.get(key);
  if (cachedTile) return cachedTile;
  const { svg } = watermarkTile(text, Math.ceil(width / PAGE_WIDTHS_PER_FONT_SIZE));
  const tile = loadImageLibrary().then((openImage) =>
    openImage(Buffer.from(svg)).resize(width, height, { fit: 'inside', withoutEnlargement: true }).png().toBuffer(),
  );
  tileCache.set(key, tile);
  return tile;
}

async function draw(image: Buffer, text: string): Promise<Buffer> {
  const openImage = await loadImageLibrary();
  const page = openImage(image, { limitInputPixels: MAX_INPUT_PIXELS });
  const tile = await drawTile(text, await page.metadata());
  // The fastest encoding: the reader waits for it.
  return page
    .composite([{ input: tile, tile: true }])
    .webp({ quality: 80, effort: 0 })
    .toBuffer();
}

/** Draws the text over a page image. `key` identifies the image. */
export function drawWatermark(key: string, text: string, loadImage: () => Promise<Buffer>): Promise<Buffer> {
  const cacheKey = `${key} ${text}`;
  return limitDrawing(async () => {
    const cachedImage = imageCache.get(cacheKey);
    if (cachedImage) return cachedImage;
    const image = await draw(await loadImage(), text);
    imageCache.set(cacheKey, image);
    return image;
  });
}
