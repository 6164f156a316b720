import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from '../db/db.ts';

const LOCK_NAME = 'storage-erasing';

/** Until this session ends, no stored file is erased, so that a backup can copy all files of its snapshot. */
export const blockFileErasure = (session: pg.ClientBase) =>
  session.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK_NAME]);

/** Call before erasing stored files in this transaction. If false, erase them another time. */
export async function mayEraseFiles(db: Pick<Db, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute<{ is_granted: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended(${LOCK_NAME}, 0)) as is_granted`,
  );
  return rows[0]?.is_granted === true;
}
