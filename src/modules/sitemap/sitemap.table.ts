import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '#platform/server/db/columns.ts';

export type SitemapKind = 'document' | 'user';

export const sitemapFiles = pgTable(
  'sitemap_files',
  {
    kind: text().$type<SitemapKind>().notNull(),
    part: integer().notNull(),
    urls: integer().notNull(),
    /** Content of the `urlset` element; the URLs are paths without the site address. */
    body: text().notNull(),
    /** Latest change of its pages; null for an empty file. */
    changed_at: instant(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.part] })],
);

export const sitemapProgress = pgTable('sitemap_progress', {
  id: boolean().primaryKey().default(true),
  covered_until: instant().notNull(),
  full_build_at: instant().notNull(),
});
