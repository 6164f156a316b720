import { bigint, customType, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference, timestamps } from '#platform/server/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Columns carry the names of the API, so that a row is an answer. */
export const users = pgTable('users', {
  id: identity(),
  username: text().notNull(),
  password_hash: text().notNull(),
  email: text().notNull().default(''),
  mobile: text().notNull().default(''),
  realname: text().notNull().default(''),
  identity: text().notNull().default(''),
  address: text().notNull().default(''),
  signature: text().notNull().default(''),
  avatar: text().notNull().default(''),
  doc_count: integer().notNull().default(0),
  follow_count: integer().notNull().default(0),
  fans_count: integer().notNull().default(0),
  favorite_count: integer().notNull().default(0),
  comment_count: integer().notNull().default(0),
  credit_count: bigint({ mode: 'number' }).notNull().default(0),
  register_ip: text().notNull().default(''),
  last_login_ip: text().notNull().default(''),
  login_at: instant(),
  ...timestamps(),
});

export const sessions = pgTable('sessions', {
  id: identity(),
  user_id: reference(),
  token_hash: bytes().notNull(),
  ip: text().notNull().default(''),
  user_agent: text().notNull().default(''),
  created_at: timestamps().created_at,
  last_seen_at: timestamps().created_at,
  expires_at: instant().notNull(),
});
