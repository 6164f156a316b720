import { vi } from 'vitest';

const INLINE_ELEMENTS = 'a, abbr, b, button, code, em, i, img, input, label, mark, small, span, strong';

/**
 * Returns only the inline style of an element and whether it is hidden. jsdom takes seconds to apply the style sheets of
 * antd in each search by role, and no test depends on them.
 */
function inlineStyleOf(element: Element): CSSStyleDeclaration {
  const { style } = document.createElement('span');
  style.cssText = element.getAttribute('style') ?? '';
  if (element.hasAttribute('hidden')) style.display = 'none';
  style.display ||= element.matches(INLINE_ELEMENTS) ? 'inline' : 'block';
  return style;
}

/** Stubs browser functions for layout and style that components call and jsdom does not have. */
export function stubMissingBrowserApis() {
  vi.stubGlobal('matchMedia', (media: string) => {
    // Disables animations, so that tests need not wait for them.
    const matches = media === '(prefers-reduced-motion: reduce)';
    return Object.assign(new EventTarget(), { media, matches, onchange: null });
  });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('getComputedStyle', inlineStyleOf);
  Element.prototype.scrollIntoView ??= () => {};
  Element.prototype.getAnimations ??= () => [];
}
