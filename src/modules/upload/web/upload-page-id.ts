import { STORAGE_PREFIX } from '#platform/web/browser-storage.ts';

const OWNER_STORAGE_KEY = `${STORAGE_PREFIX}upload-page`;
const createUploadPageId = () => [...crypto.getRandomValues(new Uint32Array(4))].join('-');

/** Without session storage each page load has a new id. */
function withSessionStorage<T>(work: (session: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

let ownerId = '';

/**
 * Id of this page among the pages that send files. It survives a reload, but a duplicated tab gets another id: the
 * session storage holds it only while the page is unloaded.
 */
export function getUploadPageId(): string {
  if (ownerId) return ownerId;
  ownerId = withSessionStorage((session) => session.getItem(OWNER_STORAGE_KEY)) || createUploadPageId();
  const removeStoredId = () => withSessionStorage((session) => session.removeItem(OWNER_STORAGE_KEY));
  removeStoredId();
  addEventListener('pageshow', removeStoredId);
  addEventListener('pagehide', () => withSessionStorage((session) => session.setItem(OWNER_STORAGE_KEY, ownerId)));
  return ownerId;
}
