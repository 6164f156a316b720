import { useEffect } from 'react';
import { pageNonce } from '#platform/web/nonce.ts';

/** Where people type passwords or administer, no script of others runs. */
const UNCOUNTED = ['/admin', '/login', '/register', '/findpassword'];

export const isCounted = (pathname: string) =>
  !UNCOUNTED.some((path) => pathname === path || pathname.startsWith(`${path}/`));

declare global {
  interface Window {
    /** The queue of the counter that is usual here; others read it through their own snippet. */
    _hmt?: unknown[][];
  }
}

let ran = false;

/** The setting holds either script tags, as counters give them out, or bare JavaScript. */
function run(snippet: string) {
  const given = [...new DOMParser().parseFromString(snippet, 'text/html').scripts];
  const sources =
    given.length > 0 ? given : [Object.assign(document.createElement('script'), { text: snippet })];
  for (const source of sources) {
    // A parsed script never runs; a copy with the page's nonce does.
    const script = document.createElement('script');
    for (const { name, value } of source.attributes) script.setAttribute(name, value);
    script.text = source.text;
    script.nonce = pageNonce();
    document.head.append(script);
  }
}

/** The script runs once, on the first public page; every later page is pushed by its path. */
export function countView(snippet: string, pathname: string) {
  if (!snippet || !isCounted(pathname)) return;
  if (ran) {
    window._hmt ??= [];
    window._hmt.push(['_trackPageview', pathname]);
    return;
  }
  ran = true;
  run(snippet);
}

export function useAnalytics(snippet: string, pathname: string) {
  useEffect(() => countView(snippet, pathname), [snippet, pathname]);
}
