import { watermarkTile } from '../watermark-tile.contract.ts';

const FONT_SIZE_PX = 18;

/** The mark as a CSS image, which repeats. */
export const watermarkImage = (text: string): string =>
  `url("data:image/svg+xml,${encodeURIComponent(watermarkTile(text, FONT_SIZE_PX).svg)}")`;
