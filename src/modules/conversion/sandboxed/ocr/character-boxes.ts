import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import type { RecognizedCharacter } from './ctc.ts';

/** A character and the shares of the line's width where it begins and ends. */
export type CharacterSpan = { text: string; left: number; right: number };

/** Width of a narrow character as a share of a wide one. */
const NARROW_RATIO = 0.5;
/** Lines include a margin above and below their characters. */
const CHARACTER_HEIGHT_SHARE = 0.85;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Computes where characters begin and end from the steps in which the model saw them: each is as wide as characters of
 * its kind, as far as its neighbours leave room. `heightRatio` is the height of the line divided by its width.
 */
export function fitCharacterSpans(line: readonly RecognizedCharacter[], heightRatio: number): CharacterSpan[] {
  const centers = line.map(({ start, end }) => (start + end) / 2);
  const isWide = line.map(({ text }) => isWideCharacter(text));
  const distances = centers
    .map((center, index) => center - (centers[index - 1] ?? center))
    .filter((_, index) => index > 0 && isWide[index] && isWide[index - 1]);
  const height = heightRatio * CHARACTER_HEIGHT_SHARE;
  const wideWidth = Math.min(median(distances) ?? height, height * 1.5);
  const widths = isWide.map((wide) => (wide ? wideWidth : wideWidth * NARROW_RATIO));
  /** The border between a character and the next one divides their distance in the ratio of their widths. */
  const borderAfter = (index: number) => {
    const [center = 0, next = 0] = [centers[index], centers[index + 1]];
    const [width = 0, nextWidth = 0] = [widths[index], widths[index + 1]];
    return center + ((next - center) * width) / Math.max(width + nextWidth, Number.EPSILON);
  };
  return line.map(({ text }, index) => {
    const [center = 0, width = 0] = [centers[index], widths[index]];
    const leftLimit = index === 0 ? 0 : borderAfter(index - 1);
    const rightLimit = index === line.length - 1 ? 1 : borderAfter(index);
    return { text, left: Math.max(leftLimit, center - width / 2), right: Math.min(rightLimit, center + width / 2) };
  });
}
