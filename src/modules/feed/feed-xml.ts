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

const xmlElement = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

/** Atom 1.0. */
export function toAtom(feed: Feed, { address, now }: { address: string; now: string }): string {
  const link = (rel: string, path: string) => `<link rel="${rel}" href="${escapeXml(address + path)}"/>`;
  const entries = feed.entries.map(
    (entry) => `<entry>
${xmlElement('id', `${address}/document/${entry.id}`)}
${xmlElement('title', entry.title)}
${link('alternate', `/document/${entry.id}`)}
${xmlElement('published', entry.published_at)}
${xmlElement('updated', entry.updated_at)}
<author>${xmlElement('name', entry.author)}</author>
${entry.categories.map((term) => `<category term="${escapeXml(term)}"/>`).join('')}
${xmlElement('summary', entry.summary)}
</entry>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">
${xmlElement('id', address + feed.page)}
${xmlElement('title', feed.title)}
${xmlElement('subtitle', feed.description)}
${link('alternate', feed.page)}
${link('self', feed.self)}
${xmlElement('updated', latestUpdate(feed, now))}
${entries.join('')}</feed>
`;
}

const toRfc822 = (at: string) => new Date(at).toUTCString();

/** RSS 2.0. */
export function toRss(feed: Feed, { address, now }: { address: string; now: string }): string {
  const items = feed.entries.map(
    (entry) => `<item>
${xmlElement('title', entry.title)}
${xmlElement('link', `${address}/document/${entry.id}`)}
<guid isPermaLink="true">${escapeXml(`${address}/document/${entry.id}`)}</guid>
${xmlElement('pubDate', toRfc822(entry.published_at))}
${xmlElement('dc:creator', entry.author)}
${entry.categories.map((term) => xmlElement('category', term)).join('')}
${xmlElement('description', entry.summary)}
</item>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
${xmlElement('title', feed.title)}
${xmlElement('link', address + feed.page)}
${xmlElement('description', feed.description)}
<language>zh-CN</language>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(address + feed.self)}"/>
${xmlElement('lastBuildDate', toRfc822(latestUpdate(feed, now)))}
${items.join('')}</channel></rss>
`;
}
