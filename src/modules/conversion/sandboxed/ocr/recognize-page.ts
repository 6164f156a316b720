import { detectText } from './detect-text.ts';
import { type Quad, rotateCorners } from './geometry.ts';
import { type LineBox, orderLines } from './line-order.ts';
import type { Models } from './models.ts';
import { boundsInReadingDirection, findReadingDirection, isTall, type ReadingDirection } from './reading-direction.ts';
import { meanLineConfidence, type RecognizedLine, recognizeLine } from './recognize-line.ts';
import { MIN_LINE_CONFIDENCE, type RecognizedPage } from './recognized-page.ts';
import { buildRowWords } from './recognized-words.ts';
import { createPageImages, type PageImages, type ScanBitmap } from './scan-bitmap.ts';
import { recognizeTraditionalPage } from './traditional-page.ts';

/** With less confidence a tall region is also read in other directions. */
const CERTAIN_CONFIDENCE = 0.8;

export async function recognizePage(models: Models, page: ScanBitmap): Promise<RecognizedPage> {
  const regions = await detectText(models.detect, page);
  const images = await createPageImages(page);
  const sample = await findReadingDirection(models, images, regions);
  const traditionalPage = await recognizeTraditionalPage(page, regions, sample);
  if (traditionalPage) return traditionalPage;
  const { direction } = sample;
  const lines: RecognizedLine[] = [];
  const boxes: (LineBox & { line: RecognizedLine })[] = [];
  for (const region of regions) {
    const line = sample.lines.get(region) ?? (await recognizeRegion(models, images, region, direction));
    const hasText = line.spans.some(({ text }) => text.trim() !== '');
    if (!hasText || line.confidence < MIN_LINE_CONFIDENCE) continue;
    lines.push(line);
    boxes.push({ ...boundsInReadingDirection(rotateCorners(region, direction.quarters), direction), line });
  }
  return {
    words: orderLines(boxes).map((row) =>
      buildRowWords(
        row.map(({ line }) => line),
        page.width,
      ),
    ),
    confidence: meanLineConfidence(lines),
    engine: 'paddle',
  };
}

/** Headings, page numbers and vertical lines may be written across the reading direction. */
async function recognizeRegion(
  models: Models,
  images: PageImages,
  region: Quad,
  { quarters }: ReadingDirection,
): Promise<RecognizedLine> {
  let best = await recognizeLine(models, images, rotateCorners(region, quarters));
  const { quad } = best;
  for (const rotation of isTall(quad) ? [1, 3] : []) {
    if (best.confidence >= CERTAIN_CONFIDENCE) break;
    const line = await recognizeLine(models, images, rotateCorners(quad, rotation));
    if (line.confidence > best.confidence) best = line;
  }
  return best;
}
