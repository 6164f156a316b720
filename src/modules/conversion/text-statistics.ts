import type { FileHandle } from 'node:fs/promises';
import { joinLines } from './join-lines.ts';

const SAMPLE_BYTES = 64 * 1024;
const SUMMARY_LETTERS = 255;

export type TextStatistics = { language: string; summary: string; text_size: number };

const count = (text: string, script: RegExp) => text.match(script)?.length ?? 0;

/** The language of a text, by its script. Empty when there are hardly any letters. */
function languageOf(text: string): string {
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(text, /\p{Script=Han}/gu);
  const hangul = count(text, /\p{Script=Hangul}/gu);
  const cyrillic = count(text, /\p{Script=Cyrillic}/gu);
  const latin = count(text, /\p{Script=Latin}/gu);
  const wide = kana + han + hangul;
  // A Chinese letter says about as much as three Latin ones.
  if (wide + cyrillic + latin < 10) return '';
  if (wide * 3 >= latin + cyrillic) {
    if (kana > wide / 10) return 'ja';
    return hangul > wide / 2 ? 'ko' : 'zh';
  }
  return cyrillic > latin ? 'ru' : 'en';
}

/** The beginning of a text as one paragraph. */
export const summaryOf = (text: string): string =>
  Array.from(joinLines(text.replace(/[\p{Cf}\p{Cn}\p{Co}\p{Cs}]+/gu, ' ')).line)
    .slice(0, SUMMARY_LETTERS)
    .join('');

/** What the beginning of the text file tells; pages are parted by form feeds. */
export async function textStatistics(file: FileHandle): Promise<TextStatistics> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
  const text = new TextDecoder().decode(buffer.subarray(0, bytesRead)).replace(/\ufffd/g, '');
  // Everybody reads the summary; what stands on later pages may be for buyers alone.
  const [firstPage = ''] = text.split('\f');
  const { size } = await file.stat();
  return { language: languageOf(text), summary: summaryOf(firstPage), text_size: size };
}
