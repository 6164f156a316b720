import { bigint, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference, timestamps } from '#platform/server/db/columns.ts';
import type { CommentStatus, Mention } from './comment.contract.ts';

/** Database triggers maintain the counts. */
export const comments = pgTable('comments', {
  id: identity(),
  document_id: reference(),
  user_id: reference(),
  parent_id: bigint({ mode: 'number' }),
  root_id: bigint({ mode: 'number' }),
  content: text().notNull(),
  mention: jsonb().$type<Mention[]>().notNull().default([]),
  status: smallint().$type<CommentStatus>().notNull(),
  reject_reason: text().notNull().default(''),
  comment_count: integer().notNull().default(0),
  ip: text().notNull().default(''),
  published_at: instant(),
  edited_at: instant(),
  deleted_at: instant(),
  created_at: instant().notNull(),
  updated_at: timestamps().updated_at,
});
export type CommentRow = typeof comments.$inferSelect;
