import { pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { instant, reference } from '#platform/server/db/columns.ts';

/** One row per reader and document. A database trigger maintains the average of the document. */
export const documentScores = pgTable(
  'document_scores',
  {
    document_id: reference(),
    user_id: reference(),
    score: smallint().notNull(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.document_id, table.user_id] })],
);
