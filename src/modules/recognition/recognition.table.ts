import { integer, pgTable, primaryKey, real, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant, reference, timestamps } from '#platform/server/db/columns.ts';
import type { RecognitionState } from './recognition.contract.ts';

/** One row for each rendition whose scanned pages are recognized. */
export const recognitionTasks = pgTable('recognition_tasks', {
  rendition_id: reference().primaryKey(),
  state: text().$type<RecognitionState>().notNull().default('waiting'),
  /** Null until the worker has read which pages are scanned. */
  pages: integer().array(),
  reason: text().notNull().default(''),
  /** Failed attempts since the last recognized page. */
  attempts: smallint().notNull().default(0),
  steps: integer().notNull().default(0),
  /** Pages recognized before this time are recognized again. */
  requested_at: timestamps().created_at,
  retry_at: instant(),
  lease_token: uuid(),
  lease_until: instant(),
  ...timestamps(),
});

export const recognizedPages = pgTable(
  'recognized_pages',
  {
    rendition_id: reference(),
    page: integer().notNull(),
    /** Empty if nothing was recognized. */
    text: text().notNull(),
    confidence: real().notNull(),
    /** Empty if the engine failed on this page. */
    engine: text().notNull(),
    recognized_at: timestamps().created_at,
  },
  (table) => [primaryKey({ columns: [table.rendition_id, table.page] })],
);
