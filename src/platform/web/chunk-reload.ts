import { STORAGE_PREFIX } from './storage.ts';

const RELOAD_INTERVAL = 60_000;
const KEY = `${STORAGE_PREFIX}reloaded-at`;

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

/** True at most once a minute; remembers the moment it said so. */
export function mayReload(memory: Memory, now: number): boolean {
  const last = Number(memory.getItem(KEY) ?? 0);
  if (now - last < RELOAD_INTERVAL) return false;
  memory.setItem(KEY, String(now));
  return true;
}

type Click = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;
type ClickedLink = Pick<HTMLAnchorElement, 'href' | 'origin' | 'target'>;

/** The page of this site that a click leads to in this tab; empty when it leads to none. */
export function linkTarget(click: Click, link: ClickedLink | null, origin: string): string {
  if (!link || link.origin !== origin || (link.target && link.target !== '_self')) return '';
  const isModified = click.metaKey || click.ctrlKey || click.shiftKey || click.altKey;
  return click.button === 0 && !isModified ? link.href : '';
}

let optionalImports = 0;

/** Loads a part that the page can do without: when that fails, the page is not reloaded. */
export async function importOptional<Part>(load: () => Promise<Part>): Promise<Part> {
  optionalImports += 1;
  try {
    return await load();
  } finally {
    optionalImports -= 1;
  }
}

/**
 * A new version of the site removes the files of the old one. When a lazily loaded part is gone, loading
 * the target of the clicked link, else this page, brings the new version. If that is broken, the error
 * page shows instead of a loop.
 */
export function reloadOnChunkFailure() {
  let target = '';
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    target = linkTarget(event, link, window.location.origin);
  };
  window.addEventListener('click', follow, { capture: true });
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
