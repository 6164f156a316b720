import { escapeXml } from '#platform/contract/xml.ts';

export type FeedEntry = {
  id: number;
  title: string;
  summary: string;
  author: string;
  categories: string[];
  published_at: string;
  updated_at: string;
};
export type Feed = {
  title: string;
  description: string;
  /** Path of the page whose documents the feed lists. */
  page: string;
  /** Path of the feed. */
  self: string;
  entries: FeedEntry[];
};

const latestUpdate = ({ entries }: Feed, fallback: string) =>
  entries
    .map(({ updated_at }) => updated_at)
    .toSorted()
    .at(-1) ?? fallback;

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

/** Atom 1.0. */
export function toAtom(feed: Feed, { address, now }: { address: string; now: string }): string {
  const link = (rel: string, path: string) => `<link rel="${rel}" href="${escapeXml(address + path)}"/>`;
  const entries = feed.entries.map(
    (entry) => `<entry>
${element('id', `${address}/document/${entry.id}`)}
${element('title', entry.title)}
${link('alternate', `/document/${entry.id}`)}
${element('published', entry.published_at)}
${element('updated', entry.updated_at)}
<author>${element('name', entry.author)}</author>
${entry.categories.map((term) => `<category term="${escapeXml(term)}"/>`).join('')}
${element('summary', entry.summary)}
</entry>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">
${element('id', address + feed.page)}
${element('title', feed.title)}
${element('subtitle', feed.description)}
${link('alternate', feed.page)}
${link('self', feed.self)}
${element('updated', latestUpdate(feed, now))}
${entries.join('')}</feed>
`;
}

const toRfc822 = (at: string) => new Date(at).toUTCString();

/** RSS 2.0. */
export function toRss(feed: Feed, { address, now }: { address: string; now: string }): string {
  const items = feed.entries.map(
    (entry) => `<item>
${element('title', entry.title)}
${element('link', `${address}/document/${entry.id}`)}
<guid isPermaLink="true">${escapeXml(`${address}/document/${entry.id}`)}</guid>
${element('pubDate', toRfc822(entry.published_at))}
${element('dc:creator', entry.author)}
${entry.categories.map((term) => element('category', term)).join('')}
${element('description', entry.summary)}
</item>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
${element('title', feed.title)}
${element('link', address + feed.page)}
${element('description', feed.description)}
<language>zh-CN</language>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(address + feed.self)}"/>
${element('lastBuildDate', toRfc822(latestUpdate(feed, now)))}
${items.join('')}</channel></rss>
`;
}
