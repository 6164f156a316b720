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

/**
 * A new version of the site removes the files of the old one. When a lazily loaded part is gone,
 * loading the page again brings the new version. Were it broken, the error page shows instead of a loop.
 */
export function reloadOnChunkFailure() {
  window.addEventListener('vite:preloadError', (event) => {
    if (!mayReload(window.sessionStorage, Date.now())) return;
    event.preventDefault();
    window.location.reload();
  });
}
