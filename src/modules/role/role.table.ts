import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { identity, reference, timestamps } from '#platform/server/db/columns.ts';

export const permissions = pgTable('permissions', {
  id: identity(),
  method: text().notNull(),
  path: text().notNull(),
  title: text().notNull(),
  description: text().notNull().default(''),
  ...timestamps(),
});

/** The API of moredoc calls a role a group. */
export const roles = pgTable('roles', {
  id: identity(),
  title: text().notNull(),
  color: text().notNull().default(''),
  description: text().notNull().default(''),
  sort: integer().notNull().default(0),
  is_default: boolean().notNull().default(false),
  is_display: boolean().notNull().default(false),
  /** The seeded role that always has every permission; at most one. */
  is_super: boolean().notNull().default(false),
  user_count: integer().notNull().default(0),
  enable_upload: boolean().notNull().default(false),
  enable_document_review: boolean().notNull().default(false),
  enable_comment: boolean().notNull().default(true),
  enable_comment_approval: boolean().notNull().default(false),
  enable_download: boolean().notNull().default(true),
  /** Pages of a limited document that its members may read at most; 0 means the limit of the site. */
  max_preview: integer().notNull().default(0),
  ...timestamps(),
});

export const rolePermissions = pgTable(
  'role_permissions',
  { role_id: reference(), permission_id: reference() },
  (table) => [primaryKey({ columns: [table.role_id, table.permission_id] })],
);

export const userRoles = pgTable('user_roles', { user_id: reference(), role_id: reference() }, (table) => [
  primaryKey({ columns: [table.user_id, table.role_id] }),
]);
