import { createPageImageUrls, type PageImageUrls } from '#modules/conversion/page-image-urls.ts';
import { findWatermarkMode } from '#modules/watermark/find-watermark-mode.ts';
import type { Context } from '#platform/server/context.ts';
import type { OpenDocument } from './load-readable-document.ts';

/** URLs of the images of an open document; images with a drawn watermark differ between readers. */
export async function createReaderImageUrls(ctx: Context, { document }: OpenDocument): Promise<PageImageUrls> {
  return createPageImageUrls(ctx, { isPersonal: (await findWatermarkMode(ctx, document)) === 'drawn' });
}
