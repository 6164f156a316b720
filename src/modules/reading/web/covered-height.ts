/** Height of the reader's own bar in pixels. */
export const READER_BAR_HEIGHT = 52;

/**
 * Pixels at the top of the window that the fixed bars cover: the top bar of the site, which is absent
 * when embedded and hidden in full screen, and the reader's own bar.
 */
export const coveredHeight = (): number => {
  const topBar = document.querySelector<HTMLElement>('[data-top-bar]');
  return READER_BAR_HEIGHT + (topBar?.offsetHeight ?? 0);
};
