import {
  bigint,
  boolean,
  customType,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { identity, instant, reference, timestamps } from '#platform/server/columns.ts';

/** Numbers as the database writes them; thousands of parameters would take longer than the query. */
const keys = customType<{ data: readonly number[]; driverData: string }>({
  dataType: () => 'integer[]',
  toDriver: (value) => `{${value.join(',')}}`,
});

/** What is known of documents besides their text; the database keeps it up to date. */
export const searchDocuments = pgTable('search_documents', {
  document_id: reference().primaryKey(),
  scope: smallint().notNull(),
  user_id: reference(),
  ext: text().notNull(),
  language: text().notNull(),
  price: integer().notNull(),
  pages: integer().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  created_at: instant().notNull(),
  categories: bigint({ mode: 'number' }).array().notNull(),
  quality: real().notNull().default(0),
  title: text().notNull(),
  text_size: integer().notNull().default(0),
  indexed_at: instant().notNull(),
});

/** Words of documents, in parts that never change. */
export const searchSegments = pgTable('search_segments', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  slots: integer().notNull(),
  blocks: integer().notNull(),
  created_at: instant().notNull(),
  retired_at: instant(),
});

/** Where in a segment a document is. */
export const searchSlots = pgTable('search_slots', {
  document_id: reference().primaryKey(),
  segment: integer().notNull(),
  slot: integer().notNull(),
});

/** Documents to be taken up anew. */
export const searchWishes = pgTable('search_wishes', {
  document_id: reference().primaryKey(),
  is_whole: boolean().notNull(),
  created_at: instant().notNull(),
});

/** Titles and words offered while somebody types. */
export const searchSuggestions = pgTable('search_suggestions', {
  id: identity(),
  /** Of a title; null for a word. */
  document_id: bigint({ mode: 'number' }),
  text: text().notNull(),
  folded: text().notNull(),
  keys: keys().notNull(),
  scope: smallint().notNull(),
  weight: real().notNull(),
});

export const searchRecords = pgTable('search_records', {
  id: identity(),
  user_id: bigint({ mode: 'number' }),
  ip: text().notNull(),
  user_agent: text().notNull(),
  keywords: text().notNull(),
  total: integer().notNull(),
  page: integer().notNull(),
  spend_time: real().notNull(),
  created_at: instant().notNull(),
});

export const searchHistory = pgTable(
  'search_history',
  { user_id: reference(), keywords: text().notNull(), searched_at: instant().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.keywords] })],
);

export const synonyms = pgTable('synonyms', {
  id: identity(),
  words: text().array().notNull(),
  enable: boolean().notNull().default(true),
  ...timestamps(),
});
