import { integer, pgTable } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/db/columns.ts';

/** Hashes of a document's keywords. */
export const relatedTerms = pgTable('related_terms', {
  document_id: reference().primaryKey(),
  terms: integer().array().notNull(),
});

/** Approximate number of documents with a term. */
export const relatedTermCounts = pgTable('related_term_counts', {
  term: integer().primaryKey(),
  count: integer().notNull(),
});

/** Documents that wait for keyword extraction, one row for each change. */
export const relatedTermsQueue = pgTable('related_terms_queue', {
  id: identity(),
  document_id: reference(),
  /** Not processed before this time. */
  retry_at: instant(),
});
