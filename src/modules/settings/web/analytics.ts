import { useEffect } from 'react';
import { pageNonce } from '#platform/web/nonce.ts';
import { isCounted } from '../counted-pages.contract.ts';

declare global {
  interface Window {
    /** The queue of the counter that is usual here; others read it through their own snippet. */
    _hmt?: unknown[][];
  }
}

let ran = false;

/** The server has reduced the setting to bare code; with the page's nonce it may run. */
function run(code: string) {
  const script = document.createElement('script');
  script.text = code;
  script.nonce = pageNonce();
  document.head.append(script);
}

/** The script runs once, on the first public page; every later page is pushed by its path. */
function countView(code: string, pathname: string) {
  if (!isCounted(pathname)) {
    // What already runs would go on listening here; a fresh document is free of it.
    if (ran) window.location.reload();
    return;
  }
  if (!code) return;
  if (ran) {
    window._hmt ??= [];
    window._hmt.push(['_trackPageview', pathname]);
    return;
  }
  ran = true;
  run(code);
}

export function useAnalytics(code: string, pathname: string) {
  useEffect(() => countView(code, pathname), [code, pathname]);
}
