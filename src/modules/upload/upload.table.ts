import { bigint, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, reference, timestamps } from '#platform/server/db/columns.ts';

/** Files on their way in. */
export const uploads = pgTable('uploads', {
  id: text().primaryKey(),
  user_id: reference(),
  name: text().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  received: bigint({ mode: 'number' }).notNull().default(0),
  /** Keys of the parts, in the order of their bytes. */
  parts: text().array().notNull().default([]),
  attachment_id: bigint({ mode: 'number' }),
  /** Who joins the parts now, and until when unless it says so again. */
  claim_token: uuid(),
  claim_until: instant(),
  ...timestamps(),
});

export type UploadPart = [start: number, length: number];
/** Questions only somebody who has the file can answer. */
export const uploadChallenges = pgTable('upload_challenges', {
  id: text().primaryKey(),
  user_id: reference(),
  hash: text().notNull(),
  name: text().notNull(),
  nonce: text().notNull(),
  ranges: jsonb().$type<UploadPart[]>().notNull(),
  expires_at: instant().notNull(),
});
