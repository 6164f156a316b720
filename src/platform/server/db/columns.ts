import { sql } from 'drizzle-orm';
import { bigint, customType } from 'drizzle-orm/pg-core';

/** A timestamptz column that is read as RFC 3339 text in UTC, the format of the API. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
});

export const identity = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
export const reference = () => bigint({ mode: 'number' }).notNull();

export const timestamps = () => ({
  created_at: instant().notNull().default(sql`now()`),
  updated_at: instant()
    .notNull()
    .default(sql`now()`)
    .$onUpdate(() => sql`now()`),
});
