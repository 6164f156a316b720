import type pg from 'pg';
import { expect } from 'vitest';

type StoredMail = { subject: string; text: string };

/** Waits until the outbox contains `count` mails to the address; returns the newest one. */
export async function waitForMail(pool: pg.Pool, address: string, count = 1): Promise<StoredMail> {
  const readMails = async () => {
    const query = 'select subject, text from mails where recipient = $1 order by id desc';
    return (await pool.query<StoredMail>(query, [address])).rows;
  };
  await expect.poll(async () => (await readMails()).length).toBeGreaterThanOrEqual(count);
  const [newestMail] = await readMails();
  if (!newestMail) throw new Error(`no mail to ${address}`);
  return newestMail;
}

/** The six-digit code of the newest mail to the address. */
export const waitForMailedCode = async (pool: pg.Pool, address: string, count = 1): Promise<string> =>
  /^\d{6}$/m.exec((await waitForMail(pool, address, count)).text)?.[0] ?? '';
