import * as z from 'zod/mini';
import { withOutputFile } from '../convert/sandbox-output-file.ts';
import { pageName } from '../page-name.ts';
import type { PageWords } from '../sandboxed/events.ts';
import { joinWords } from '../sandboxed/join-words.ts';

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_CHARACTERS = 50_000;

const coordinate = z.int().check(z.gte(-10_000), z.lte(100_000));
const word = z.tuple([z.string().check(z.maxLength(10_000)), coordinate, coordinate, coordinate, coordinate]);
/** The file that the sandboxed recognition writes for each page. */
const recognitionOutput = z.object({
  words: z.array(z.array(word)),
  confidence: z.number().check(z.gte(0), z.lte(1)),
  engine: z.string().check(z.minLength(1), z.maxLength(64)),
});

export type RecognizedText = { words: PageWords; text: string; confidence: number; engine: string };

export async function readRecognitionOutput(folder: string, page: number): Promise<RecognizedText> {
  const output = await withOutputFile(folder, `o/${pageName(page)}.json`, async (file) => {
    if ((await file.stat()).size > MAX_OUTPUT_BYTES) throw new Error('the recognized text is too large');
    return recognitionOutput.parse(JSON.parse(await file.readFile('utf8')));
  });
  // PostgreSQL stores no zero character.
  const text = joinWords(output.words).replaceAll('\0', '').toWellFormed().slice(0, MAX_TEXT_CHARACTERS);
  return { ...output, text };
}
