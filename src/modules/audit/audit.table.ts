import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, reference, timestamps } from '#platform/server/db/columns.ts';

type Values = Record<string, unknown>;

export const auditLogs = pgTable('audit_logs', {
  id: identity(),
  user_id: reference(),
  username: text().notNull(),
  action: text().notNull(),
  target: text().notNull().default(''),
  before: jsonb().$type<Values>(),
  after: jsonb().$type<Values>(),
  ip: text().notNull().default(''),
  created_at: timestamps().created_at,
});
