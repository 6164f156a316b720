import { bigint, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { bytes, reference } from '#platform/server/db/columns.ts';

export const nearCopySketches = pgTable('near_copy_sketches', {
  rendition_id: reference().primaryKey(),
  version: integer().notNull(),
  recognized_pages: integer().notNull(),
  /** Ascending unsigned 32-bit numbers. */
  text_hashes: bytes().notNull(),
  picture_hashes: bigint({ mode: 'bigint' }).array().notNull(),
});

export const nearCopyKeys = pgTable(
  'near_copy_keys',
  { key: integer().notNull(), rendition_id: reference() },
  (table) => [primaryKey({ columns: [table.key, table.rendition_id] })],
);
