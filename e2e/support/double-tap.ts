import type { Page } from 'playwright-core';

/** Time between the touches of a double tap, well below the limit of the reader. */
const TOUCH_INTERVAL_MS = 40;

/** Taps twice. The touches carry fixed timestamps, because a busy machine sends them seconds apart. */
export async function doubleTap(page: Page, x: number, y: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const firstMs = Date.now();
  for (const [index, type] of (['touchStart', 'touchEnd', 'touchStart', 'touchEnd'] as const).entries())
    await devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      timestamp: (firstMs + index * TOUCH_INTERVAL_MS) / 1000,
    });
  await devtools.detach();
}
