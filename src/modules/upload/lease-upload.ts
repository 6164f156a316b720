import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { createRowLease, renewLease } from '#platform/server/db/row-lease.ts';
import { uploads } from './upload.table.ts';

const LEASE_SECONDS = 30;

export type UploadLease = NonNullable<Awaited<ReturnType<typeof leaseUpload>>>;

/** Leases an unfinished upload to one request, which receives a part or joins the parts. Null while another has it. */
export async function leaseUpload(ctx: Context, id: string) {
  const lease = createRowLease(uploads, LEASE_SECONDS);
  const [upload] = await ctx.db
    .update(uploads)
    .set(lease.takenValues)
    .where(and(eq(uploads.id, id), isNull(uploads.attachment_id), lease.isFree))
    .returning();
  if (!upload) return null;
  const holdsLease = and(eq(uploads.id, id), lease.isHeld);
  const stopRenewal = renewLease(
    () => ctx.db.update(uploads).set(lease.renewedValues).where(holdsLease),
    (error) => ctx.log.warn({ err: error, upload: id }, 'could not renew the lease of an upload'),
  );
  return {
    upload,
    holdsLease,
    async release() {
      stopRenewal();
      await ctx.db.update(uploads).set(lease.releasedValues).where(holdsLease);
    },
  };
}
