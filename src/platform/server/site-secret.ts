import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { readThroughLiveCache } from './cache/live-cache-access.ts';
import type { Context } from './context.ts';

const SIGNATURE_LENGTH = 32;

/** Reads a secret key of the site. The database creates it on first use; all nodes share it. */
const siteSecret = (ctx: Context, name: string): Promise<KeyObject> =>
  readThroughLiveCache(ctx, `secret:${name}`, async (db) => {
    const select = () => db.execute<{ value: Buffer }>(sql`select value from site_secrets where name = ${name}`);
    let [row] = (await select()).rows;
    if (!row) {
      await db.execute(sql`insert into site_secrets (name) values (${name}) on conflict do nothing`);
      [row] = (await select()).rows;
    }
    if (!row) throw new Error(`site secret ${name} does not exist`);
    return createSecretKey(row.value);
  });

export type Signer = {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
};

export async function createSigner(ctx: Context, name: string): Promise<Signer> {
  const key = await siteSecret(ctx, name);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, SIGNATURE_LENGTH);
  return {
    sign,
    verify(text, signature) {
      const [expectedBytes, actualBytes] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return expectedBytes.length === actualBytes.length && timingSafeEqual(expectedBytes, actualBytes);
    },
  };
}
