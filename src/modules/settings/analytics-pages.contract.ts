/** Where people type passwords, see codes of theirs or administer, no script of others runs. */
const PATHS_WITHOUT_ANALYTICS = /^\/(?:admin|login|register|findpassword|user\/[^/]+\/security)(?:\/|$)/;

/** Whether the analytics script may run on a page. */
export const allowsAnalytics = (pathname: string) => !PATHS_WITHOUT_ANALYTICS.test(pathname);

/** Documents below this path run the analytics script; the rest of the path is the viewed page. */
export const ANALYTICS_PATH = '/analytics';
