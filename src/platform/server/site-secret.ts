import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { readLive } from './cache/live-values.ts';
import type { Context } from './context.ts';

const SIGNATURE_LETTERS = 32;

/** A key of the site by its name; made when it is first asked for, then the same for all nodes. */
const siteSecret = (ctx: Context, name: string): Promise<Buffer> =>
  readLive(ctx, `secret:${name}`, async (db) => {
    await db.execute(sql`insert into site_secrets (name) values (${name}) on conflict do nothing`);
    const { rows } = await db.execute<{ value: Buffer }>(sql`select value from site_secrets where name = ${name}`);
    if (!rows[0]) throw new Error(`no secret ${name}`);
    return rows[0].value;
  });

export type Signer = {
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
};

/** Signs texts so that only this site could have made them. */
export async function signerOf(ctx: Context, name: string): Promise<Signer> {
  const key = await siteSecret(ctx, name);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, SIGNATURE_LETTERS);
  return {
    sign,
    isSigned(text, signature) {
      const [expected, given] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
