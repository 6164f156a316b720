import { bigint, boolean, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, identity, instant, reference, timestamps } from '#platform/server/db/columns.ts';

/** Columns have the names of the API fields, so that a row can be returned as it is. */
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
  is_banned: boolean().notNull().default(false),
  ban_reason: text().notNull().default(''),
  /** Null with is_banned means banned without end. */
  banned_until: instant(),
  hide_favorite: boolean().notNull().default(false),
  hide_follow: boolean().notNull().default(false),
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

export const passwordResets = pgTable('password_resets', {
  id: identity(),
  user_id: reference(),
  token_hash: bytes().notNull(),
  expires_at: instant().notNull(),
  created_at: timestamps().created_at,
});

export const emailCodes = pgTable('email_codes', {
  id: identity(),
  purpose: text({ enum: ['register', 'change_email'] }).notNull(),
  email: text().notNull(),
  /** 0 for a registration, when there is no account yet. */
  user_id: reference(),
  code_hash: text().notNull(),
  tries: smallint().notNull().default(0),
  expires_at: instant().notNull(),
});

export const totpSecrets = pgTable('totp_secrets', {
  user_id: reference().primaryKey(),
  secret: text().notNull(),
  confirmed_at: instant(),
  last_step: bigint({ mode: 'number' }).notNull().default(0),
  created_at: timestamps().created_at,
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  { user_id: reference(), code_hash: bytes().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.code_hash] })],
);
