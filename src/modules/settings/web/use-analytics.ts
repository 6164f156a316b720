import { useEffect } from 'react';
import { ANALYTICS_PATH, allowsAnalytics } from '../analytics-pages.contract.ts';

type AnalyticsFrame = { snippet: string; countView: (pathname: string) => void; close: () => void };

const PASSWORD_FIELD_SELECTOR = 'input[type=password], input[autocomplete*=password]';
const hasPasswordField = () => document.querySelector(PASSWORD_FIELD_SELECTOR) !== null;

/** A frame that calls `window.focus()` receives the typed text; see `closeOnPasswordFieldOrFocus`. */
let hasTakenFocus = false;

/** Closes the frame when a password field appears, and until the next page load when the frame takes the focus. */
function closeOnPasswordFieldOrFocus(element: HTMLIFrameElement, close: () => void): () => void {
  const observer = new MutationObserver(() => hasPasswordField() && close());
  observer.observe(document.body, { childList: true, subtree: true });
  let focusedElement: Element | null = document.activeElement;
  const rememberFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element && target !== element) focusedElement = target;
  };
  const onBlur = () => {
    if (document.activeElement !== element) return;
    hasTakenFocus = true;
    close();
    if (focusedElement instanceof HTMLElement) focusedElement.focus();
  };
  document.addEventListener('focusin', rememberFocus);
  window.addEventListener('blur', onBlur);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', rememberFocus);
    window.removeEventListener('blur', onBlur);
  };
}

/** Opens the frame in which the snippet runs. Its origin is opaque: the snippet cannot read this page. */
function openFrame(snippet: string, pathname: string): AnalyticsFrame {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-scripts');
  element.setAttribute('aria-hidden', 'true');
  element.title = '网站统计';
  element.inert = true;
  element.style.setProperty('display', 'none', 'important');
  const referrer = new URLSearchParams({ referrer: document.referrer });
  element.src = `${ANALYTICS_PATH}${pathname}?${referrer}`;
  let isLoaded = false;
  const pendingPaths: string[] = [];
  const post = (pageView: string) => element.contentWindow?.postMessage({ pageView }, '*');
  element.addEventListener('load', () => {
    isLoaded = true;
    for (const path of pendingPaths.splice(0)) post(path);
  });
  document.body.append(element);
  const close = () => {
    stopWatching();
    element.remove();
    if (frame?.close === close) frame = null;
  };
  const stopWatching = closeOnPasswordFieldOrFocus(element, close);
  return {
    snippet,
    countView: (path) => {
      if (isLoaded) post(path);
      else pendingPaths.push(path);
    },
    close,
  };
}

let frame: AnalyticsFrame | null = null;

/** The first page view loads the snippet; later ones are sent to it. */
function reportPageView(snippet: string, pathname: string) {
  const isEnabled = snippet !== '' && allowsAnalytics(pathname) && !hasPasswordField() && !hasTakenFocus;
  if (frame && isEnabled && frame.snippet === snippet) return frame.countView(pathname);
  frame?.close();
  frame = isEnabled ? openFrame(snippet, pathname) : null;
}

export function useAnalytics(snippet: string, pathname: string) {
  useEffect(() => reportPageView(snippet, pathname), [snippet, pathname]);
}
