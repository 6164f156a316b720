import { bigint, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, reference, timestamps } from '#platform/server/db/columns.ts';

/** Unfinished resumable uploads. */
export const uploads = pgTable('uploads', {
  id: text().primaryKey(),
  user_id: reference(),
  name: text().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  received: bigint({ mode: 'number' }).notNull().default(0),
  /** Storage keys of the parts in order. */
  parts: text().array().notNull().default([]),
  attachment_id: bigint({ mode: 'number' }),
  /** Lease of the request that receives a part or joins the parts. */
  lease_token: uuid(),
  lease_until: instant(),
  ...timestamps(),
});

export type SampleRange = [start: number, length: number];
/** Challenges that only an owner of the file can answer. */
export const uploadChallenges = pgTable('upload_challenges', {
  id: text().primaryKey(),
  user_id: reference(),
  hash: text().notNull(),
  name: text().notNull(),
  nonce: text().notNull(),
  ranges: jsonb().$type<SampleRange[]>().notNull(),
  expires_at: instant().notNull(),
});

/** Announced bytes of uploads in one request, while they are received. A row expires unless it is renewed. */
export const uploadReservations = pgTable('upload_reservations', {
  id: uuid().primaryKey(),
  user_id: reference(),
  size: bigint({ mode: 'number' }).notNull(),
  expires_at: instant().notNull(),
});
