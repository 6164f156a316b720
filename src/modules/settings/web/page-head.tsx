import { useLocation } from 'react-router';
import { TrustedHtml } from '#platform/web/ui/trusted-html.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { useSettings } from './use-settings.ts';

type Head = {
  /** Title of the page, to which the name of the site is appended. The home page has none. */
  title?: string;
  keywords?: string;
  description?: string;
  /** Canonical path, when several paths show the same page. */
  path?: string;
  /** Excludes the page from search engines. */
  hidden?: boolean;
  /** Path of the preview image (og:image); the logo of the site by default. */
  image?: string;
  kind?: 'website' | 'article' | 'profile';
  /** Path before `/feed.atom` and `/feed.rss`, where the page has feeds. */
  feed?: string;
  /** Structured data of the page (schema.org). */
  data?: (absolute: ToAbsoluteUrl) => object[];
};

export type ToAbsoluteUrl = (path: string) => string;

/** Distinct keywords in the order of their first occurrence. */
export const joinKeywords = (...lists: (string | undefined)[]): string => {
  const words = lists.flatMap((list) => (list ?? '').split(/[,，]/).map((word) => word.trim()));
  return [...new Set(words.filter(Boolean))].join(',');
};

/** Removes all query parameters except `page`, which selects different content. */
export function canonicalPath(pathname: string, search: string): string {
  const path = pathname.replace(/(?!^)\/+$/, '');
  const page = new URLSearchParams(search).get('page') ?? '';
  return /^[1-9]\d*$/.test(page) && page !== '1' ? `${path}?page=${page}` : path;
}

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
  const isHydrated = useHydrated();
  const site = system.sitename || system.title;
  const fullTitle = title ? `${title} - ${site}` : system.title || site;
  const pageDescription = description || system.description;
  // The server does not trust the address of a request; without a configured one the browser adds its origin.
  const origin = system.address || (isHydrated ? window.location.origin : '');
  const absolute: ToAbsoluteUrl = (to) => (/^https?:/.test(to) ? to : origin + to);
  const address = origin && absolute(canonicalPath(path ?? pathname, search));
  const picture = image || system.logo;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="keywords" content={joinKeywords(keywords ?? title, site, system.keywords)} />
      <meta name="description" content={pageDescription} />
      <meta property="og:title" content={fullTitle} />
      <meta property="og:description" content={pageDescription} />
      <meta property="og:site_name" content={site} />
      <meta property="og:type" content={kind} />
      <meta property="og:locale" content="zh_CN" />
      {origin && picture ? <meta property="og:image" content={absolute(picture)} /> : null}
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

/** Escapes `<`, so that no string in the JSON can end the script element. */
export const jsonForScript = (items: object[]): string =>
  JSON.stringify(items.map((item) => ({ '@context': 'https://schema.org', ...item }))).replace(/</g, '\\u003c');

/** Browsers do not run a script element of this type. */
function StructuredData({ items }: { items: object[] }) {
  return <TrustedHtml as="script" html={jsonForScript(items)} type="application/ld+json" suppressHydrationWarning />;
}

/** `trail` is the list of pages below the home page; the current page is the last one. */
export const breadcrumbJsonLd = (absolute: ToAbsoluteUrl, trail: { title: string; path: string }[]): object => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ title: '首页', path: '/' }, ...trail].map(({ title, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: absolute(path),
  })),
});
