import { STORAGE_PREFIX } from '#platform/web/storage.ts';

const KEY = `${STORAGE_PREFIX}upload-page`;
const newOwner = () => [...crypto.getRandomValues(new Uint32Array(4))].join('-');

/** Without a store every load is a page of its own. */
function inSession<T>(work: (session: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

let owner = '';

/**
 * The name of this page among those that send files. It outlives a reload, but a copy of the tab gets
 * another one: the session's store holds it only while no page does.
 */
export function pageOwner(): string {
  if (owner) return owner;
  owner = inSession((session) => session.getItem(KEY)) || newOwner();
  const take = () => inSession((session) => session.removeItem(KEY));
  take();
  addEventListener('pageshow', take);
  addEventListener('pagehide', () => inSession((session) => session.setItem(KEY, owner)));
  return owner;
}
