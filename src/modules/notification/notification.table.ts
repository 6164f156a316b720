import { bigint, boolean, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/db/columns.ts';
import type { NotificationKind } from './notification.contract.ts';

export const notifications = pgTable('notifications', {
  id: identity(),
  user_id: reference(),
  kind: text().$type<NotificationKind>().notNull(),
  key: text().notNull(),
  actor_id: bigint({ mode: 'number' }),
  payload: jsonb().$type<unknown>().notNull().default({}),
  read_at: instant(),
  mailed_at: instant(),
  created_at: instant().notNull(),
});

export const notificationSettings = pgTable(
  'notification_settings',
  {
    user_id: reference(),
    kind: text().$type<NotificationKind>().notNull(),
    site: boolean().notNull(),
    mail: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.kind] })],
);
