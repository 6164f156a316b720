import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

type StoredMail = { subject: string; text: string };

/** The newest mail to an address in the outbox, once there are at least so many of them. */
export async function waitForMail(pool: pg.Pool, address: string, count = 1): Promise<StoredMail> {
  for (let patience = 200; patience > 0; patience -= 1) {
    const { rows } = await pool.query<StoredMail>(
      'select subject, text from mails where recipient = $1 order by id desc',
      [address],
    );
    if (rows.length >= count && rows[0]) return rows[0];
    await sleep(50);
  }
  throw new Error(`no mail to ${address}`);
}

/** The six digits in the newest mail to an address. */
export const waitForMailedCode = async (pool: pg.Pool, address: string, count = 1): Promise<string> =>
  /^\d{6}$/m.exec((await waitForMail(pool, address, count)).text)?.[0] ?? '';
