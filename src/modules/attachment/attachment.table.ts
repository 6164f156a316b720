import { bigint, boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { identity, instant, timestamps } from '#platform/server/db/columns.ts';

export const attachments = pgTable('attachments', {
  id: identity(),
  hash: text().notNull(),
  /** Null after the account was deleted. */
  user_id: bigint({ mode: 'number' }),
  type: smallint().notNull().default(0),
  type_id: bigint({ mode: 'number' }).notNull().default(0),
  enable: boolean().notNull().default(true),
  path: text().notNull(),
  name: text().notNull().default(''),
  size: bigint({ mode: 'number' }).notNull(),
  width: integer().notNull().default(0),
  height: integer().notNull().default(0),
  ext: text().notNull().default(''),
  ip: text().notNull().default(''),
  description: text().notNull().default(''),
  ...timestamps(),
});

/** Document files of which an attachment was deleted, and when. Their bytes are erased later. */
export const removedFiles = pgTable('removed_files', {
  hash: text().primaryKey(),
  removed_at: instant().notNull(),
});
