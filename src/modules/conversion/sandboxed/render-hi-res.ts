import { writeHiResPage } from './encode-page.ts';
import type { ConverterEvent } from './events.ts';
import { isWasmTrap, openPdf } from './pdf-engine.ts';
import { drawPage, hiResSize, readPageSizes, withPage } from './pdf-page.ts';

type HiResOptions = { file: string; folder: string; pages: number[] };

/** Draws a few pages in high resolution. A page that cannot be drawn is left out: readers keep its normal image. */
export async function renderHiRes(
  { file, folder, pages }: HiResOptions,
  emit: (event: ConverterEvent) => void,
): Promise<void> {
  const pdf = await openPdf(file);
  const sizes = readPageSizes(pdf, hiResSize);
  for (const page of pages) {
    const size = sizes[page - 1];
    if (!size) continue;
    emit({ type: 'start', page });
    try {
      const bitmap = withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, size));
      await writeHiResPage(folder, page, bitmap);
      emit({ type: 'page', page });
    } catch (error) {
      if (isWasmTrap(error)) throw error;
      emit({ type: 'broken', page });
    }
  }
  pdf.close();
}
