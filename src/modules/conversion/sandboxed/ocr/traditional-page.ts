import { existsSync } from 'node:fs';
import { UNITS_PER_PAGE_WIDTH } from '../word-builder.ts';
import { type Quad, quadHeight, quadWidth } from './geometry.ts';
import type { DirectionSample } from './reading-direction.ts';
import type { RecognizedPage } from './recognized-page.ts';
import type { ScanBitmap } from './scan-bitmap.ts';
import { readWithTesseract } from './tesseract.ts';
import { looksTraditional } from './traditional-characters.ts';

/** Tesseract is the better engine for clean pages, and the worse one for others; its confidence shows which they are. */
const MIN_TESSERACT_CONFIDENCE = 0.85;
/** Share of the length of the detected lines that it must have found. */
const MIN_FOUND_SHARE = 0.8;
const LANGUAGE = 'chi_tra';
const DATA_FOLDERS = ['5', '4.00'].map((version) => `/usr/share/tesseract-ocr/${version}/tessdata`);

/**
 * Recognizes an upright page whose sample has traditional characters, of which the models of PaddleOCR lack a part.
 * Returns null for other pages, and if Tesseract is not sure of its result.
 */
export async function recognizeTraditionalPage(
  page: ScanBitmap,
  regions: readonly Quad[],
  { direction, lines }: DirectionSample,
): Promise<RecognizedPage | null> {
  const sampleCharacters = [...lines.values()].flatMap(({ spans }) => spans);
  if (direction.quarters !== 0 || !looksTraditional(sampleCharacters) || !canRunTesseract()) return null;
  const result = await readWithTesseract(page, { language: LANGUAGE, layout: 3 });
  const isComplete = lengthOfWords(result, page) >= lengthOfRegions(regions) * MIN_FOUND_SHARE;
  return isComplete && result.confidence >= MIN_TESSERACT_CONFIDENCE ? result : null;
}

const lengthOfWords = ({ words }: RecognizedPage, page: ScanBitmap): number =>
  words.flat().reduce((sum, [, , , width]) => sum + (width * page.width) / UNITS_PER_PAGE_WIDTH, 0);

/** Without the margin at both ends of a line. */
const lengthOfRegions = (regions: readonly Quad[]): number =>
  regions.reduce((sum, quad) => sum + Math.max(0, quadWidth(quad) - quadHeight(quad) / 2), 0);

/** The permission model of Node, which replaces a missing sandbox, forbids programs. */
const canRunTesseract = (): boolean =>
  (process.permission?.has('child') ?? true) &&
  DATA_FOLDERS.some((folder) => existsSync(`${folder}/${LANGUAGE}.traineddata`));
