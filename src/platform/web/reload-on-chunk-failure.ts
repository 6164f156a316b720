import { STORAGE_PREFIX } from './browser-storage.ts';

const MIN_RELOAD_INTERVAL_MS = 60_000;
const RELOADED_AT_KEY = `${STORAGE_PREFIX}reloaded-at`;

type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Returns true at most once a minute and then stores the time. */
export function mayReload(storage: KeyValueStorage, now: number): boolean {
  const last = Number(storage.getItem(RELOADED_AT_KEY) ?? 0);
  if (now - last < MIN_RELOAD_INTERVAL_MS) return false;
  storage.setItem(RELOADED_AT_KEY, String(now));
  return true;
}

type Click = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;
type ClickedLink = Pick<HTMLAnchorElement, 'href' | 'origin' | 'target'>;

/** URL on this site that a click opens in this tab; '' when it opens none. */
export function urlOpenedByClick(click: Click, link: ClickedLink | null, origin: string): string {
  if (!link || link.origin !== origin || (link.target && link.target !== '_self')) return '';
  const isModified = click.metaKey || click.ctrlKey || click.shiftKey || click.altKey;
  return click.button === 0 && !isModified ? link.href : '';
}

let optionalImports = 0;

/** Loads a chunk that the page works without: its failure does not reload the page. */
export async function importOptional<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  optionalImports += 1;
  try {
    return await load();
  } finally {
    optionalImports -= 1;
  }
}

/**
 * A deployment removes the chunks of the old version. When a lazily loaded chunk is missing, the browser loads the
 * target of the clicked link, or this page, in the new version. If that fails within a minute, the error page is
 * shown instead of a reload loop.
 */
export function reloadOnChunkFailure() {
  let target = '';
  const rememberTarget = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    target = urlOpenedByClick(event, link, window.location.origin);
  };
  window.addEventListener('click', rememberTarget, { capture: true });
  window.addEventListener('popstate', () => {
    target = '';
  });
  window.addEventListener('vite:preloadError', (event) => {
    if (optionalImports > 0 || !mayReload(window.sessionStorage, Date.now())) return;
    event.preventDefault();
    if (target && target !== window.location.href) window.location.assign(target);
    else window.location.reload();
  });
}
