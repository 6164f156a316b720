import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { isCjkLetter } from '#modules/text/wide-characters.contract.ts';
import type { RecognizedCharacter } from './ctc.ts';

/** A line of simplified text contains few characters that also exist as simplified ones. */
const MIN_TRADITIONAL_SHARE = 0.06;
/** Readings of one character are closer than this share of the distance of characters. */
const MAX_POSITION_DIFFERENCE = 0.6;
/** Below this confidence a character that only one model reads is noise. */
const MIN_SINGLE_CONFIDENCE = 0.3;
/** The model for simplified text is the better one. */
const SIMPLIFIED_ADVANTAGE = 0.1;
/** The model for simplified text takes a comma in the middle of its square for a semicolon. */
const COMMA_LIKE = new Set('，、’‘丶');
/** Traditional and vertical lines have their punctuation in the middle or at the top of its square. */
const PUNCTUATION: Record<string, string> = { '’': '，', '‘': '，', '°': '。', 丶: '、' };

const isLetter = (text: string) => isCjkLetter(text.codePointAt(0) ?? 0);
const isTraditional = (text: string) => isLetter(text) && normalizeForSearch(text) !== text;

export function looksTraditional(line: readonly { text: string }[]): boolean {
  const letters = line.filter(({ text }) => isLetter(text));
  return letters.filter(({ text }) => isTraditional(text)).length > letters.length * MIN_TRADITIONAL_SHARE;
}

const centerOf = ({ start, end }: RecognizedCharacter) => (start + end) / 2;

/**
 * Merges two readings of one line. The model for simplified text reads better, but omits or replaces the traditional
 * characters that its dictionary lacks.
 */
export function mergeReadings(
  simplifiedReading: readonly RecognizedCharacter[],
  traditionalReading: readonly RecognizedCharacter[],
): RecognizedCharacter[] {
  const pitch = medianDistance(
    traditionalReading.length > simplifiedReading.length ? traditionalReading : simplifiedReading,
  );
  const mergedReading: RecognizedCharacter[] = [];
  let [left, right] = [0, 0];
  while (left < simplifiedReading.length || right < traditionalReading.length) {
    const [a, b] = [simplifiedReading[left], traditionalReading[right]];
    const difference = a && b ? centerOf(a) - centerOf(b) : a ? -1 : 1;
    const isSamePlace = a && b && Math.abs(difference) < pitch * MAX_POSITION_DIFFERENCE;
    if (isSamePlace) mergedReading.push(selectReading(a, b));
    else if (a && difference < 0) mergedReading.push(a);
    else if (b && isLetter(b.text) && b.confidence >= MIN_SINGLE_CONFIDENCE) mergedReading.push(b);
    if (isSamePlace || difference < 0) left++;
    if (isSamePlace || difference >= 0) right++;
  }
  return mergedReading;
}

function selectReading(
  simplifiedCharacter: RecognizedCharacter,
  traditionalCharacter: RecognizedCharacter,
): RecognizedCharacter {
  if (simplifiedCharacter.text === '；' && COMMA_LIKE.has(traditionalCharacter.text))
    return { ...simplifiedCharacter, text: '，' };
  if (!isLetter(traditionalCharacter.text)) return simplifiedCharacter;
  const isVariant = normalizeForSearch(simplifiedCharacter.text) === normalizeForSearch(traditionalCharacter.text);
  if (isVariant) return isTraditional(traditionalCharacter.text) ? traditionalCharacter : simplifiedCharacter;
  return traditionalCharacter.confidence > simplifiedCharacter.confidence + SIMPLIFIED_ADVANTAGE
    ? traditionalCharacter
    : simplifiedCharacter;
}

/** Only beside letters of Chinese, because Latin text has apostrophes. */
export const normalizePunctuation = (line: readonly RecognizedCharacter[]): RecognizedCharacter[] =>
  line.map((character, index) => {
    const isAfterLetter = index > 0 && isLetter(line[index - 1]?.text ?? '');
    return isAfterLetter ? { ...character, text: PUNCTUATION[character.text] ?? character.text } : character;
  });

function medianDistance(line: readonly RecognizedCharacter[]): number {
  const distances = line.slice(1).map((character, index) => centerOf(character) - centerOf(line[index] ?? character));
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 1;
}
