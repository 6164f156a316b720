import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { identity, instant, timestamps } from '#platform/server/db/columns.ts';
import type { FileFormat, QueueLevel, RenditionState, RenditionView } from './conversion.contract.ts';
import type { ReplacedFont } from './replaced-font.contract.ts';

/** One row for each distinct file and format. */
export const renditions = pgTable('renditions', {
  id: identity(),
  hash: text().notNull(),
  format: text().$type<FileFormat>().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  state: text().$type<RenditionState>().notNull().default('waiting'),
  reason: text().notNull().default(''),
  attempts: smallint().notNull().default(0),
  user_id: bigint({ mode: 'number' }),
  version: smallint().notNull().default(0),
  view: text().$type<RenditionView>().notNull().default(''),
  pages: integer().notNull().default(0),
  ready_pages: integer().notNull().default(0),
  width: integer().notNull().default(0),
  height: integer().notNull().default(0),
  language: text().notNull().default(''),
  summary: text().notNull().default(''),
  text_size: bigint({ mode: 'number' }).notNull().default(0),
  /** Pages without usable text; null if the conversion did not count them. */
  scanned_pages: integer(),
  /** Pages with recognized text that other parts of the site follow. */
  recognized_pages: integer().notNull().default(0),
  is_outdated: boolean().notNull().default(false),
  lease_token: uuid(),
  lease_until: instant(),
  ready_at: instant(),
  convert_after: instant(),
  queue_level: smallint().$type<QueueLevel>().notNull().default(0),
  is_urgent: boolean().notNull().default(false),
  claimed_at: instant(),
  interruptions: smallint().notNull().default(0),
  skip_pages: integer().array().notNull().default(sql`'{}'`),
  replaced_fonts: jsonb().$type<ReplacedFont[]>().notNull().default([]),
  has_pdf: boolean().notNull().default(false),
  size_class: smallint().notNull().generatedAlwaysAs(sql`stored in the migration`),
  ...timestamps(),
});

/** Files of an older pipeline that can be removed from the storage. */
export const replacedRenditions = pgTable(
  'replaced_renditions',
  {
    hash: text().notNull(),
    format: text().$type<FileFormat>().notNull(),
    version: smallint().notNull(),
    replaced_at: timestamps().created_at,
  },
  (table) => [primaryKey({ columns: [table.hash, table.format, table.version] })],
);

export const pageRenderRequests = pgTable(
  'page_render_requests',
  {
    rendition_id: bigint({ mode: 'number' }).notNull(),
    page: integer().notNull(),
    created_at: timestamps().created_at,
  },
  (table) => [primaryKey({ columns: [table.rendition_id, table.page] })],
);
