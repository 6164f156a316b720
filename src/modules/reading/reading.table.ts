import { integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { instant, reference } from '#platform/server/db/columns.ts';

export const readingPositions = pgTable(
  'reading_positions',
  {
    user_id: reference(),
    document_id: reference(),
    page: integer().notNull(),
    /** Offset from the top of the page, in ten-thousandths of its height. */
    offset: smallint().notNull(),
    /** Percent of the whole document. */
    progress: smallint().notNull(),
    /** Time on the device; the later position wins. */
    read_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.document_id] })],
);
