/** Where people type passwords, see codes of theirs or administer, no script of others runs. */
const UNCOUNTED = /^\/(?:admin|login|register|findpassword|user\/[^/]+\/security)(?:\/|$)/;

/** Whether the analytics script may run on a page. */
export const isCounted = (pathname: string) => !UNCOUNTED.test(pathname);
