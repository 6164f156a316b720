import { bigint, boolean, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference, timestamps } from '#platform/server/db/columns.ts';
import type { ReportAction, ReportReason } from './report.contract.ts';

export const reports = pgTable('reports', {
  id: identity(),
  document_id: bigint({ mode: 'number' }),
  document_title: text().notNull(),
  user_id: reference(),
  reason: smallint().$type<ReportReason>().notNull(),
  content: text().notNull().default(''),
  status: boolean().notNull().default(false),
  action: smallint().$type<ReportAction>().notNull().default(0),
  remark: text().notNull().default(''),
  handler_id: bigint({ mode: 'number' }),
  handled_at: instant(),
  created_at: instant().notNull(),
  updated_at: timestamps().updated_at,
});
