import { writeSharpPage } from './encode-page.ts';
import type { WorkshopEvent } from './events.ts';
import { isTrap, openPdf } from './pdf-engine.ts';
import { drawPage, pageSizes, sharpSize, withPage } from './pdf-page.ts';

type SharpOptions = { file: string; folder: string; pages: number[] };

/** Draws a few pages larger. One that cannot be drawn is left out: its usual image stays. */
export async function drawSharp(
  { file, folder, pages }: SharpOptions,
  say: (event: WorkshopEvent) => void,
): Promise<void> {
  const pdf = await openPdf(file);
  const sizes = pageSizes(pdf, sharpSize);
  for (const page of pages) {
    const size = sizes[page - 1];
    if (!size) continue;
    say({ type: 'start', page });
    try {
      const bitmap = withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, size));
      await writeSharpPage(folder, page, bitmap);
      say({ type: 'page', page });
    } catch (error) {
      if (isTrap(error)) throw error;
      say({ type: 'broken', page });
    }
  }
  pdf.close();
}
