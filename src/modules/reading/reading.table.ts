import { integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { instant, reference } from '#platform/server/db/columns.ts';

export const readingPositions = pgTable(
  'reading_positions',
  {
    user_id: reference(),
    document_id: reference(),
    page: integer().notNull(),
    /** How far down the page, in ten thousandths of its height. */
    offset: smallint().notNull(),
    /** Percent of the whole document. */
    progress: smallint().notNull(),
    /** By the clock of the device; the later one wins. */
    read_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.document_id] })],
);
