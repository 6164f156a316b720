import { sql } from 'drizzle-orm';
import { bigint, customType } from 'drizzle-orm/pg-core';

/** timestamptz as the API speaks it: RFC 3339 in UTC. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
});

export const identity = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
export const reference = () => bigint({ mode: 'number' }).notNull();

/** When a row came and when it last changed. */
export const timestamps = () => ({
  created_at: instant().notNull().default(sql`now()`),
  updated_at: instant()
    .notNull()
    .default(sql`now()`)
    .$onUpdate(() => sql`now()`),
});
