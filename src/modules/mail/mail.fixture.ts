import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

type StoredMail = { subject: string; text: string };

/** Waits until the outbox contains `count` mails to the address; returns the newest one. */
export async function waitForMail(pool: pg.Pool, address: string, count = 1): Promise<StoredMail> {
  for (let attemptsLeft = 200; attemptsLeft > 0; attemptsLeft -= 1) {
    const { rows } = await pool.query<StoredMail>(
      'select subject, text from mails where recipient = $1 order by id desc',
      [address],
    );
    if (rows.length >= count && rows[0]) return rows[0];
    await sleep(50);
  }
  throw new Error(`no mail to ${address}`);
}

/** The six-digit code of the newest mail to the address. */
export const waitForMailedCode = async (pool: pg.Pool, address: string, count = 1): Promise<string> =>
  /^\d{6}$/m.exec((await waitForMail(pool, address, count)).text)?.[0] ?? '';
