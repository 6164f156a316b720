import type { Page } from 'playwright-core';

type WindowWithToasts = Window & { shownToasts?: string[] };

/** Runs in the page. Records the text of every toast, because it may disappear before a test on a busy machine looks. */
export function recordToasts() {
  const shownToasts: string[] = [];
  Object.assign(window, { shownToasts });
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof HTMLElement && node.dataset.toast) shownToasts.push(node.textContent);
  }).observe(document, { childList: true, subtree: true });
}

/** Waits for a toast that a page shows while it loads. The toast may have disappeared meanwhile. */
export const waitForToast = (page: Page, text: string) =>
  page.waitForFunction((text) => (window as WindowWithToasts).shownToasts?.includes(text), text);

/** Waits for a toast and tells whether it covers a visible element. Call it before the action that shows the toast. */
export async function doesToastCover(page: Page, text: string, selector: string): Promise<boolean> {
  const result = await page.waitForFunction(
    ({ text, selector }) => {
      const toast = [...document.querySelectorAll('[data-toast]')].find((each) => each.textContent.includes(text));
      if (!toast) return null;
      const a = toast.getBoundingClientRect();
      const doesCover = [...document.querySelectorAll(selector)].some((element) => {
        const b = element.getBoundingClientRect();
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      });
      return { doesCover };
    },
    { text, selector },
  );
  return (await result.jsonValue())?.doesCover ?? true;
}
