import { useLocation } from 'react-router';
import { useHydrated } from '#platform/web/hydrated.ts';
import { useSettings } from './use-settings.ts';

type Head = {
  /** The page's own words; the site's name follows. Left out on the home page. */
  title?: string;
  keywords?: string;
  description?: string;
  /** Address of the page where others lead to it as well. */
  path?: string;
  /** Pages which say nothing to a search engine. */
  hidden?: boolean;
};

/** Each word once, in the order of their first mention. */
export const joinKeywords = (...lists: (string | undefined)[]): string => {
  const words = lists.flatMap((list) => (list ?? '').split(/[,，]/).map((word) => word.trim()));
  return [...new Set(words.filter(Boolean))].join(',');
};

/** Of all that may follow the path only the page of a list makes another page. */
export function canonicalPath(pathname: string, search: string): string {
  const path = pathname.replace(/(?!^)\/+$/, '');
  const page = new URLSearchParams(search).get('page') ?? '';
  return /^[1-9]\d*$/.test(page) && page !== '1' ? `${path}?page=${page}` : path;
}

/** Title, keywords, description and address of a page; React moves them into the head. */
export function PageHead({ title, keywords, description, path, hidden = false }: Head) {
  const { system } = useSettings();
  const { pathname, search } = useLocation();
  const hydrated = useHydrated();
  const site = system.sitename || system.title;
  const whole = title ? `${title} - ${site}` : system.title || site;
  const about = description || system.description;
  // The server takes no address from a request; where none is configured, the browser knows it.
  const home = system.address || (hydrated ? window.location.origin : '');
  const address = home && home + canonicalPath(path ?? pathname, search);
  return (
    <>
      <title>{whole}</title>
      <meta name="keywords" content={joinKeywords(keywords ?? title, site, system.keywords)} />
      <meta name="description" content={about} />
      <meta property="og:title" content={whole} />
      <meta property="og:description" content={about} />
      <meta property="og:site_name" content={site} />
      <meta property="og:type" content="website" />
      {hidden ? <meta name="robots" content="noindex" /> : null}
      {address && !hidden ? <link rel="canonical" href={address} /> : null}
      {address && !hidden ? <meta property="og:url" content={address} /> : null}
    </>
  );
}
