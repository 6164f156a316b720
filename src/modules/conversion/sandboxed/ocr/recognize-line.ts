import { type CharacterSpan, fitCharacterSpans } from './character-boxes.ts';
import { decodeCtc, meanConfidence } from './ctc.ts';
import { type Quad, quadHeight, quadWidth } from './geometry.ts';
import type { Models, RecognitionModel } from './models.ts';
import { type ColourPlanes, createPlanes, drawQuad, type PageImages, stretchContrast } from './scan-bitmap.ts';
import { looksTraditional, mergeReadings, normalizePunctuation } from './traditional-characters.ts';

/** A recognized line. Its spans are shares of its width. */
export type RecognizedLine = { quad: Quad; spans: CharacterSpan[]; confidence: number };

const LINE_HEIGHT = 48;
/** The processor time grows with the width. Squeezed by this factor, lines are recognized as well (decision 0061). */
const WIDTH_SCALE = 0.8;
/** The model yields one step for each 8 columns. */
const WIDTH_MULTIPLE = 8;
const MIN_LINE_WIDTH = 48;
/** A longer line is squeezed; it is a rule or noise. */
const MAX_LINE_WIDTH = 4_800;

/** `quad` starts at the corner where reading starts. */
export async function recognizeLine(models: Models, images: PageImages, quad: Quad): Promise<RecognizedLine> {
  const ratio = quadWidth(quad) / Math.max(1, quadHeight(quad));
  const columns = Math.min(MAX_LINE_WIDTH, Math.max(MIN_LINE_WIDTH, LINE_HEIGHT * ratio * WIDTH_SCALE));
  const planes = createPlanes(Math.ceil(columns / WIDTH_MULTIPLE) * WIDTH_MULTIPLE, LINE_HEIGHT);
  drawQuad(images, quad, planes);
  const characters = await readPlanes(models, planes);
  return { quad, spans: fitCharacterSpans(characters, 1 / ratio), confidence: meanConfidence(characters) };
}

/** Only lines with traditional characters are read by both models. */
async function readPlanes({ simplified, loadTraditional }: Models, planes: ColourPlanes) {
  const characters = await readWithModel(simplified, planes);
  if (!looksTraditional(characters)) return normalizePunctuation(characters);
  stretchContrast(planes);
  const traditional = await readWithModel(await loadTraditional(), planes);
  return normalizePunctuation(mergeReadings(characters, traditional));
}

async function readWithModel(model: RecognitionModel, { width, height, values }: ColourPlanes) {
  const probabilities = await model.run(values, [1, 3, height, width]);
  return decodeCtc(probabilities, model.characters);
}

export function meanLineConfidence(lines: readonly RecognizedLine[]): number {
  const characters = lines.reduce((sum, { spans }) => sum + spans.length, 0);
  const sum = lines.reduce((total, { confidence, spans }) => total + confidence * spans.length, 0);
  return Math.min(1, sum / Math.max(1, characters));
}
