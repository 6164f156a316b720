import { useLocation } from 'react-router';
import { useHydrated } from '#platform/web/hydrated.ts';
import { TrustedHtml } from '#platform/web/ui/trusted-html.tsx';
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
  /** Path of the picture shown where the page is linked; that of the site otherwise. */
  image?: string;
  kind?: 'website' | 'article' | 'profile';
  /** Path before `/feed.atom` and `/feed.rss`, where the page has feeds. */
  feed?: string;
  /** What the page is about, in the words of schema.org. */
  data?: (absolute: ToAbsoluteUrl) => object[];
};

/** The whole address of a path of this site. */
export type ToAbsoluteUrl = (path: string) => string;

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
export function PageHead({
  title,
  keywords,
  description,
  path,
  hidden = false,
  image,
  kind = 'website',
  feed,
  data,
}: Head) {
  const { system } = useSettings();
  const { pathname, search } = useLocation();
  const hydrated = useHydrated();
  const site = system.sitename || system.title;
  const whole = title ? `${title} - ${site}` : system.title || site;
  const about = description || system.description;
  // The server takes no address from a request; where none is configured, the browser knows it.
  const home = system.address || (hydrated ? window.location.origin : '');
  const absolute: ToAbsoluteUrl = (to) => (/^https?:/.test(to) ? to : home + to);
  const address = home && absolute(canonicalPath(path ?? pathname, search));
  const picture = image || system.logo;
  return (
    <>
      <title>{whole}</title>
      <meta name="keywords" content={joinKeywords(keywords ?? title, site, system.keywords)} />
      <meta name="description" content={about} />
      <meta property="og:title" content={whole} />
      <meta property="og:description" content={about} />
      <meta property="og:site_name" content={site} />
      <meta property="og:type" content={kind} />
      <meta property="og:locale" content="zh_CN" />
      {home && picture ? <meta property="og:image" content={absolute(picture)} /> : null}
      {hidden ? <meta name="robots" content="noindex" /> : null}
      {address && !hidden ? <link rel="canonical" href={address} /> : null}
      {address && !hidden ? <meta property="og:url" content={address} /> : null}
      {feed === undefined || hidden ? null : <FeedLinks feed={feed} title={title ?? site} />}
      {address && data && !hidden ? <StructuredData items={data(absolute)} /> : null}
    </>
  );
}

function FeedLinks({ feed, title }: { feed: string; title: string }) {
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={title} href={`${feed}/feed.atom`} />
      <link rel="alternate" type="application/rss+xml" title={title} href={`${feed}/feed.rss`} />
    </>
  );
}

/** JSON within HTML: nothing in it may end the element. */
export const jsonForScript = (items: object[]): string =>
  JSON.stringify(items.map((item) => ({ '@context': 'https://schema.org', ...item }))).replace(/</g, '\\u003c');

/** Data, not code: no browser runs it. */
function StructuredData({ items }: { items: object[] }) {
  return <TrustedHtml as="script" html={jsonForScript(items)} type="application/ld+json" suppressHydrationWarning />;
}

/** The way to a page from the top, itself last. */
export const breadcrumbJsonLd = (absolute: ToAbsoluteUrl, way: { title: string; path: string }[]): object => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ title: '首页', path: '/' }, ...way].map(({ title, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name: title,
    item: absolute(path),
  })),
});
