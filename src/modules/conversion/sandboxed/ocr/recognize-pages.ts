import { mkdirSync, writeFileSync } from 'node:fs';
import { pageName } from '../../page-name.ts';
import type { RecognitionEngine } from '../../recognition-engines.ts';
import type { ConverterEvent } from '../events.ts';
import type { RenderCommands } from '../render-pdf.ts';
import type { RecognizedPage } from './recognized-page.ts';
import type { ScanBitmap } from './scan-bitmap.ts';
import { openScanSource } from './scan-source.ts';

type RecognitionOptions = { file: string; folder: string; pages: number[]; engine?: RecognitionEngine };

/** Recognizes the text of some pages of a PDF or image, and writes a file for each. */
export async function recognizePages(
  { file, folder, pages, engine = 'paddle' }: RecognitionOptions,
  emit: (event: ConverterEvent) => void,
  commands: RenderCommands,
): Promise<void> {
  const source = await openScanSource(file);
  const recognize = engine === 'tesseract' ? await loadTesseract() : await loadPaddle();
  mkdirSync(`${folder}/o`, { recursive: true });
  for (const page of pages) {
    if (page > source.pages) continue;
    if (commands.isStopRequested) break;
    emit({ type: 'start', page });
    const bitmap = await source.draw(page);
    if (!bitmap) emit({ type: 'broken', page });
    const result: RecognizedPage = bitmap ? await recognize(bitmap) : { words: [], confidence: 0, engine };
    writeFileSync(`${folder}/o/${pageName(page)}.json`, JSON.stringify(result));
    emit({ type: 'recognized', page });
    // Yields to the event loop, so that commands are received between pages.
    await new Promise(setImmediate);
  }
  source.close();
}

type Recognizer = (page: ScanBitmap) => Promise<RecognizedPage>;

async function loadPaddle(): Promise<Recognizer> {
  const [{ loadModels }, { recognizePage }] = await Promise.all([import('./models.ts'), import('./recognize-page.ts')]);
  const models = await loadModels();
  return (page) => recognizePage(models, page);
}

async function loadTesseract(): Promise<Recognizer> {
  const { recognizeWithTesseract } = await import('./tesseract.ts');
  return recognizeWithTesseract;
}
