import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from '../db/db.ts';

const ERASING = 'storage-erasing';

/** No stored file is erased until this session ends: what a snapshot refers to can be copied in peace. */
export const stopErasing = (session: pg.ClientBase) =>
  session.query('select pg_advisory_lock(hashtextextended($1, 0))', [ERASING]);

/** Whether this transaction may erase stored files. Ask before erasing; a refusal means "another time". */
export async function mayErase(db: Pick<Db, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute<{ granted: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended(${ERASING}, 0)) as granted`,
  );
  return rows[0]?.granted === true;
}
