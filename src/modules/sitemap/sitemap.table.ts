import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '#platform/server/db/columns.ts';

export type SitemapKind = 'document' | 'user';

export const sitemapFiles = pgTable(
  'sitemap_files',
  {
    kind: text().$type<SitemapKind>().notNull(),
    part: integer().notNull(),
    urls: integer().notNull(),
    /** The inside of a `urlset`, its addresses without the site. */
    body: text().notNull(),
    /** The latest of its addresses; null in an empty file. */
    changed_at: instant(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.part] })],
);

export const sitemapProgress = pgTable('sitemap_progress', {
  id: boolean().primaryKey().default(true),
  covered_until: instant().notNull(),
  full_build_at: instant().notNull(),
});
