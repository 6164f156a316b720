import { pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '#platform/server/db/columns.ts';

export const captchas = pgTable('captchas', {
  id: uuid().primaryKey(),
  purpose: text().notNull(),
  answer_hash: bytes(),
  work_bits: smallint(),
  expires_at: instant().notNull(),
});
