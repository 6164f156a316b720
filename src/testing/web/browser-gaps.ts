import { vi } from 'vitest';

const INLINE_ELEMENTS = 'a, abbr, b, button, code, em, i, img, input, label, mark, small, span, strong';

/**
 * The inline style of an element and whether it is hidden. jsdom takes seconds to apply the style sheets
 * of antd whenever an element is searched by its role; none of them belongs to what is tested.
 */
function styleOf(element: Element): CSSStyleDeclaration {
  const { style } = document.createElement('span');
  style.cssText = element.getAttribute('style') ?? '';
  if (element.hasAttribute('hidden')) style.display = 'none';
  style.display ||= element.matches(INLINE_ELEMENTS) ? 'inline' : 'block';
  return style;
}

/** Adds what components need of a browser and jsdom does not have; all of it concerns layout and style. */
export function fillBrowserGaps() {
  vi.stubGlobal('matchMedia', (media: string) => {
    // Without animations a test need not wait for them.
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
  vi.stubGlobal('getComputedStyle', styleOf);
  Element.prototype.scrollIntoView ??= () => {};
  Element.prototype.getAnimations ??= () => [];
}
