import { bigint, boolean, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { identity, instant, reference, timestamps } from '#platform/server/db/columns.ts';
import type { DocumentStatus, DocumentVisibility } from './document.contract.ts';

export const documents = pgTable('documents', {
  id: identity(),
  /** Made by the database. */
  uuid: text().notNull().default(''),
  user_id: reference(),
  /** Null until the first review is passed. */
  content_id: bigint({ mode: 'number' }),
  title: text().notNull(),
  keywords: text().notNull().default(''),
  description: text().notNull().default(''),
  ext: text().notNull(),
  /** What the file is, whatever its extension. */
  format: text().$type<FileFormat>().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  price: integer().notNull().default(0),
  preview: integer().notNull().default(0),
  language: text().notNull().default(''),
  visibility: smallint().$type<DocumentVisibility>().notNull().default(0),
  status: smallint().$type<DocumentStatus>().notNull().default(0),
  reject_reason: text().notNull().default(''),
  award: bigint({ mode: 'number' }).notNull().default(0),
  penalty: bigint({ mode: 'number' }).notNull().default(0),
  retracted_award: bigint({ mode: 'number' }).notNull().default(0),
  retractions: integer().notNull().default(0),
  deletions: integer().notNull().default(0),
  download_count: integer().notNull().default(0),
  view_count: integer().notNull().default(0),
  favorite_count: integer().notNull().default(0),
  comment_count: integer().notNull().default(0),
  score: integer().notNull().default(0),
  score_count: integer().notNull().default(0),
  /** Maintained by the trigger that averages the ratings. */
  score_sum: bigint({ mode: 'number' }).notNull().default(0),
  published_at: instant(),
  recommend_at: instant(),
  deleted_at: instant(),
  deleted_user_id: bigint({ mode: 'number' }),
  ...timestamps(),
});
export type DocumentRow = typeof documents.$inferSelect;

/** Who has looked at a document lately. */
export const documentViews = pgTable(
  'document_views',
  { document_id: reference(), viewer: text().notNull(), counted_at: instant().notNull() },
  (table) => [primaryKey({ columns: [table.document_id, table.viewer] })],
);

export const documentCategories = pgTable(
  'document_categories',
  {
    document_id: reference(),
    category_id: reference(),
    /** Visitors can read the document; kept by the database. */
    is_readable: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.document_id, table.category_id] })],
);
