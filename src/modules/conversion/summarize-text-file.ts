import type { FileHandle } from 'node:fs/promises';
import { HAN, HANGUL, KANA } from '#platform/contract/cjk-scripts.ts';
import { joinWrappedLines } from './join-wrapped-lines.ts';

const SAMPLE_BYTES = 64 * 1024;
const MAX_SUMMARY_LENGTH = 255;

export type TextFileSummary = { language: string; summary: string; text_size: number };

const countMatches = (text: string, script: RegExp) => text.match(script)?.length ?? 0;

/** Detects the language by the script. Empty when there are hardly any letters. */
function detectLanguage(text: string): string {
  const kana = countMatches(text, new RegExp(`[${KANA}]`, 'gu'));
  const han = countMatches(text, new RegExp(HAN, 'gu'));
  const hangul = countMatches(text, new RegExp(HANGUL, 'gu'));
  const cyrillic = countMatches(text, /\p{Script=Cyrillic}/gu);
  const latin = countMatches(text, /\p{Script=Latin}/gu);
  const cjkLetters = kana + han + hangul;
  // A Chinese character carries about as much text as three Latin letters.
  if (cjkLetters + cyrillic + latin < 10) return '';
  if (cjkLetters * 3 >= latin + cyrillic) {
    if (kana > cjkLetters / 10) return 'ja';
    return hangul > cjkLetters / 2 ? 'ko' : 'zh';
  }
  return cyrillic > latin ? 'ru' : 'en';
}

/** The beginning of a text as one paragraph. */
export const createSummary = (text: string): string =>
  Array.from(joinWrappedLines(text.replace(/[\p{Cf}\p{Cn}\p{Co}\p{Cs}]+/gu, ' ')).line)
    .slice(0, MAX_SUMMARY_LENGTH)
    .join('');

/** Reads language and summary from the beginning of the text file, whose pages are separated by form feeds. */
export async function summarizeTextFile(file: FileHandle): Promise<TextFileSummary> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
  const text = new TextDecoder().decode(buffer.subarray(0, bytesRead)).replace(/\ufffd/g, '');
  const { size } = await file.stat();
  return { ...summarizeText(text), text_size: size };
}

/** Language and summary of a text whose pages are separated by form feeds. */
export function summarizeText(text: string): Omit<TextFileSummary, 'text_size'> {
  // The summary is public, but later pages may be for buyers only.
  const [firstPage = ''] = text.split('\f');
  return { language: detectLanguage(text), summary: createSummary(firstPage) };
}
