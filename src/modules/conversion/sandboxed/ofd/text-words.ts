import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import type { Canvas } from './canvas.ts';
import { type AffineMatrix, type OfdBox, transformBox } from './geometry.ts';
import type { PlacedCharacter } from './text-layout.ts';

export const POINTS_PER_MILLIMETRE = 72 / 25.4;
/** Parts of the font size above the base line, as in the writer of the words. */
const ASCENT = 0.8;
/** An offset wider than this share of the character is a gap, not a wide character. */
const MAX_WIDTH_SHARE = 1.8;
/** Characters with equal widths, up to this share of the height, are one word. */
const WIDTH_TOLERANCE = 0.02;
const DEFAULT_ADVANCE = 1;

type PlacedText = {
  characters: PlacedCharacter[];
  size: number;
  matrix: AffineMatrix;
  advanceOf(text: string): number | null;
};

/** Adds the invisible words of a text object, for search and selection. */
export function addTextWords(canvas: Canvas, run: PlacedText): void {
  const [a, b, , d] = run.matrix;
  const isUpright = Math.abs(b) < 1e-3 * Math.abs(a) && a > 0 && d > 0;
  let word: { text: string; box: OfdBox; width: number } | null = null;
  const flush = () => {
    if (word) canvas.addWord({ text: word.text, ...toPoints(word.box) });
    word = null;
  };
  run.characters.forEach((character, index) => {
    if (/^\s$/.test(character.text)) {
      if (word) word.text += ' ';
      flush();
      return;
    }
    const box = characterBox(character, run, run.characters[index - 1]);
    const isContinued =
      word !== null &&
      isUpright &&
      Math.abs(word.width - box.width) < WIDTH_TOLERANCE * box.height &&
      Math.abs(word.box.y - box.y) < WIDTH_TOLERANCE * box.height &&
      Math.abs(word.box.x + word.box.width - box.x) < WIDTH_TOLERANCE * box.height;
    if (word !== null && isContinued) {
      word.text += character.text;
      word.box.width = box.x + box.width - word.box.x;
    } else {
      flush();
      word = { text: character.text, box, width: box.width };
    }
  });
  flush();
}

/** The box of a character on the page, in millimetres. The last one of a text is as wide as a similar one before it. */
function characterBox(
  { text, x, y, delta: declaredDelta }: PlacedCharacter,
  { size, matrix, advanceOf }: PlacedText,
  previous: PlacedCharacter | undefined,
): OfdBox {
  const delta =
    declaredDelta ?? (previous && isWideCharacter(previous.text) === isWideCharacter(text) ? previous.delta : null);
  const advance = (advanceOf(text) ?? DEFAULT_ADVANCE) * size;
  const width = delta !== null && delta > 0 && delta < advance * MAX_WIDTH_SHARE ? delta : advance;
  return transformBox(matrix, { x, y: y - ASCENT * size, width, height: size });
}

const toPoints = ({ x, y, width, height }: OfdBox): OfdBox => ({
  x: x * POINTS_PER_MILLIMETRE,
  y: y * POINTS_PER_MILLIMETRE,
  width: width * POINTS_PER_MILLIMETRE,
  height: height * POINTS_PER_MILLIMETRE,
});
