import { writeHiResPage } from './encode-page.ts';
import type { ConverterEvent } from './events.ts';
import { isTrap, openPdf } from './pdf-engine.ts';
import { drawPage, hiResSize, pageSizes, withPage } from './pdf-page.ts';

type SharpOptions = { file: string; folder: string; pages: number[] };

/** Draws a few pages larger. One that cannot be drawn is left out: its usual image stays. */
export async function renderHiRes(
  { file, folder, pages }: SharpOptions,
  say: (event: ConverterEvent) => void,
): Promise<void> {
  const pdf = await openPdf(file);
  const sizes = pageSizes(pdf, hiResSize);
  for (const page of pages) {
    const size = sizes[page - 1];
    if (!size) continue;
    say({ type: 'start', page });
    try {
      const bitmap = withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, size));
      await writeHiResPage(folder, page, bitmap);
      say({ type: 'page', page });
    } catch (error) {
      if (isTrap(error)) throw error;
      say({ type: 'broken', page });
    }
  }
  pdf.close();
}
