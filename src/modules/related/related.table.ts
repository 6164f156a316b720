import { integer, pgTable } from 'drizzle-orm/pg-core';
import { instant, reference } from '#platform/server/db/columns.ts';

/** What a document is about: numbers of its most telling words. */
export const relatedTerms = pgTable('document_terms', {
  document_id: reference().primaryKey(),
  terms: integer().array().notNull(),
});

/** In about how many documents a word is. */
export const relatedTermCounts = pgTable('document_term_counts', {
  term: integer().primaryKey(),
  count: integer().notNull(),
});

/** Documents whose words are still to be found. */
export const relatedTermsQueue = pgTable('document_term_wishes', {
  document_id: reference().primaryKey(),
  /** Not before this time. */
  retry_at: instant(),
});
