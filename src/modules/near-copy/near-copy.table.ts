import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, instant, reference } from '#platform/server/db/columns.ts';

export const nearCopySketches = pgTable('near_copy_sketches', {
  rendition_id: reference().primaryKey(),
  version: integer().notNull(),
  recognized_pages: integer().notNull(),
  /** Ascending unsigned 32-bit numbers. */
  text_hashes: bytes().notNull(),
  picture_hashes: bigint({ mode: 'bigint' }).array().notNull(),
  /** The first file of the group of nearly equal ones; null until the sketch was compared. */
  twin_group: bigint({ mode: 'number' }),
});

export const nearCopyKeys = pgTable(
  'near_copy_keys',
  { key: integer().notNull(), rendition_id: reference() },
  (table) => [primaryKey({ columns: [table.key, table.rendition_id] })],
);

/** Files that could not be compared, with the time of the next attempt. */
export const nearCopyFailures = pgTable('near_copy_failures', {
  rendition_id: reference().primaryKey(),
  attempts: integer().notNull(),
  reason: text().notNull(),
  failed_at: instant().notNull(),
  retry_at: instant().notNull(),
});
