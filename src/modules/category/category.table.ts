import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { InheritableWatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { identity, timestamps } from '#platform/server/db/columns.ts';

export const categories = pgTable('categories', {
  id: identity(),
  /** Null for a top-level category. */
  parent_id: bigint({ mode: 'number' }),
  title: text().notNull(),
  cover: text().notNull().default(''),
  icon: text().notNull().default(''),
  description: text().notNull().default(''),
  doc_count: integer().notNull().default(0),
  sort: integer().notNull().default(0),
  enable: boolean().notNull().default(true),
  /** Whether scanned pages of its documents, and of those below it, are recognized. */
  enable_ocr: boolean().notNull().default(true),
  watermark: text().$type<InheritableWatermarkMode>().notNull().default('inherit'),
  ...timestamps(),
});
