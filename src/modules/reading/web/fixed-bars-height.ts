export const READER_BAR_HEIGHT_PX = 52;

/**
 * Pixels at the top of the window that fixed bars cover: the reader bar and the site's top bar, which is absent when
 * embedded and in full screen.
 */
export const fixedBarsHeight = (): number => {
  const topBar = document.querySelector<HTMLElement>('[data-top-bar]');
  return READER_BAR_HEIGHT_PX + (topBar?.offsetHeight ?? 0);
};
