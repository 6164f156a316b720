/** No third-party script runs on pages with passwords or recovery codes and in the back-office. */
const PATHS_WITHOUT_ANALYTICS = /^\/(?:admin|login|register|findpassword|user\/[^/]+\/security)(?:\/|$)/;

export const allowsAnalytics = (pathname: string) => !PATHS_WITHOUT_ANALYTICS.test(pathname);

/** The frames below this path run the analytics script; the rest of the path is that of the viewed page. */
export const ANALYTICS_PATH = '/analytics';
