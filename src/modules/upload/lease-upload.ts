import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { uploads } from './upload.table.ts';

const CLAIM_SECONDS = 30;
const CLAIM_RENEWAL_MS = 5_000;

export type UploadClaim = NonNullable<Awaited<ReturnType<typeof claimUpload>>>;

/**
 * Claims an unfinished upload for one request, which may receive a part or join the parts for longer than a transaction
 * may last. Returns null while another request holds the claim. The claim of a killed process expires.
 */
export async function claimUpload(ctx: Context, id: string) {
  const token = randomUUID();
  const until = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;
  const isFree = or(isNull(uploads.claim_until), lt(uploads.claim_until, sql`now()`));
  const [upload] = await ctx.db
    .update(uploads)
    .set({ claim_token: token, claim_until: until })
    .where(and(eq(uploads.id, id), isNull(uploads.attachment_id), isFree))
    .returning();
  if (!upload) return null;
  const holdsClaim = and(eq(uploads.id, id), eq(uploads.claim_token, token));
  const timer = setInterval(() => {
    ctx.db
      .update(uploads)
      .set({ claim_until: until })
      .where(holdsClaim)
      .catch((error: unknown) => ctx.log.warn({ err: error, upload: id }, 'could not renew the claim of an upload'));
  }, CLAIM_RENEWAL_MS);
  return {
    upload,
    holdsClaim,
    async release() {
      clearInterval(timer);
      await ctx.db.update(uploads).set({ claim_token: null, claim_until: null }).where(holdsClaim);
    },
  };
}
