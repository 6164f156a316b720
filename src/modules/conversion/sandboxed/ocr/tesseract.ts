import { execFile } from 'node:child_process';
import { MIN_LINE_CONFIDENCE, type RecognizedPage } from './recognized-page.ts';
import { openBitmap, type ScanBitmap } from './scan-bitmap.ts';
import { joinTesseractWords, parseTesseractLines, type TesseractLine } from './tesseract-lines.ts';

const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const DPI = 200;
/** With less confidence the page may be written in other characters or vertically. */
const CERTAIN_CONFIDENCE = 0.85;
/** The data for traditional characters is nearly as confident about simplified ones. */
const MIN_ADVANTAGE = 0.05;
/** Languages with the layout that they need: 3 is automatic, 5 is a block of vertical lines. */
const fallbackAttempts = [
  { language: 'chi_tra', layout: 3 },
  { language: 'chi_sim_vert', layout: 5 },
];

/**
 * Recognizes a page with Tesseract. It starts a program, which only the sandbox of the operating system permits: the
 * permission model of Node does not.
 */
export async function recognizeWithTesseract(page: ScanBitmap): Promise<RecognizedPage> {
  let best = await readWithTesseract(page, { language: 'chi_sim', layout: 3 });
  for (const attempt of best.confidence < CERTAIN_CONFIDENCE ? fallbackAttempts : []) {
    const result = await readWithTesseract(page, attempt);
    if (result.confidence > best.confidence + MIN_ADVANTAGE) best = result;
  }
  return best;
}

type TesseractOptions = { language: string; layout: number };

export async function readWithTesseract(
  page: ScanBitmap,
  { language, layout }: TesseractOptions,
): Promise<RecognizedPage> {
  const image = await openBitmap(page).png({ compressionLevel: 1 }).toBuffer();
  const lines = parseTesseractLines(await runTesseract(image, ['-l', language, '--psm', String(layout)]));
  const usableLines = lines.filter(({ confidence }) => confidence >= MIN_LINE_CONFIDENCE);
  return {
    words: usableLines.map((line) => joinTesseractWords(line, page.width)).filter((words) => words.length > 0),
    confidence: meanConfidence(lines),
    engine: `tesseract ${language}`,
  };
}

const meanConfidence = (lines: readonly TesseractLine[]) => {
  const characters = lines.reduce((sum, line) => sum + line.characters, 0);
  return lines.reduce((sum, line) => sum + line.confidence * line.characters, 0) / Math.max(1, characters);
};

function runTesseract(image: Buffer, options: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile(
    'tesseract',
    ['stdin', 'stdout', '--dpi', String(DPI), ...options, 'tsv'],
    { env: { PATH: '/usr/bin:/bin', OMP_THREAD_LIMIT: '1' }, maxBuffer: MAX_OUTPUT_BYTES },
    (error, output) => (error ? reject(error) : resolve(output)),
  );
  // The callback reports why the program ended.
  child.stdin?.on('error', () => {});
  child.stdin?.end(image);
  return promise;
}
