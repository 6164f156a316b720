import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '#platform/contract/errors.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { acceptFile } from './accept-file.ts';
import { withReceived } from './receive-document.ts';
import { cancelUpload, findUpload, folderOf, type Upload } from './resumable-upload.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploads } from './upload.table.ts';
import { checkUpload, maxDocumentBytes } from './upload-rules.ts';

const CLAIM_SECONDS = 30;
const RENEW_MS = 5_000;
const LOOK_MS = 500;
/** Too large, of a kind that is not taken, or not what its name says: no later try changes that. */
const REFUSALS = [413, 415, 422];

/** A complete upload becomes an attachment, once, whoever asks. A refused one is gone. */
export async function finishUpload(ctx: UserContext, id: string): Promise<number> {
  for (;;) {
    const upload = await findUpload(ctx, id);
    if (upload.attachment_id !== null) return upload.attachment_id;
    // It was an attachment once, which nobody used in time.
    if (upload.parts.length === 0) {
      await cancelUpload(ctx, id);
      throw uploadErrors.notFound();
    }
    const claim = await takeClaim(ctx, id);
    if (claim) return joinParts(ctx, upload, claim).finally(claim.release);
    // Somebody else is at it: its outcome is the answer, or its death our turn.
    await wait(LOOK_MS);
  }
}

type Claim = NonNullable<Awaited<ReturnType<typeof takeClaim>>>;

/** Joining may take minutes, which no transaction lasts; so the row says who does it. */
async function takeClaim(ctx: Context, id: string) {
  const token = randomUUID();
  const until = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;
  const isFree = or(isNull(uploads.claim_until), lt(uploads.claim_until, sql`now()`));
  const [taken] = await ctx.db
    .update(uploads)
    .set({ claim_token: token, claim_until: until })
    .where(and(eq(uploads.id, id), isNull(uploads.attachment_id), isFree))
    .returning({ id: uploads.id });
  if (!taken) return null;
  const isOurs = and(eq(uploads.id, id), eq(uploads.claim_token, token));
  const timer = setInterval(() => {
    ctx.db
      .update(uploads)
      .set({ claim_until: until })
      .where(isOurs)
      .catch((error: unknown) => ctx.log.warn({ err: error, upload: id }, 'claim not renewed'));
  }, RENEW_MS);
  return {
    isOurs,
    async release() {
      clearInterval(timer);
      await ctx.db.update(uploads).set({ claim_token: null, claim_until: null }).where(isOurs);
    },
  };
}

async function joinParts(ctx: UserContext, upload: Upload, { isOurs }: Claim): Promise<number> {
  const { id, name, size, parts } = upload;
  const settle = async ({ db }: UserContext, attachment_id: number) => {
    const settled = await db
      .update(uploads)
      .set({ attachment_id, parts: [] })
      .where(isOurs)
      .returning({ id: uploads.id });
    // Cancelled, or taken over, while the parts were joined.
    if (settled.length === 0) throw uploadErrors.notFound();
  };
  try {
    const extension = await checkUpload(ctx, name, size);
    const maxBytes = await maxDocumentBytes(ctx);
    const accepted = await withReceived(ctx, joined(ctx, parts), maxBytes, (received) =>
      acceptFile(ctx, received.file, { ...received, name, extension }, settle),
    );
    await ctx.storage.deletePrefix(folderOf(id));
    return accepted.id;
  } catch (error) {
    if (error instanceof AppError && REFUSALS.includes(error.status)) await cancelUpload(ctx, id);
    throw error;
  }
}

/** The parts one after another. */
async function* joined({ storage }: Context, keys: string[]): AsyncGenerator<Buffer> {
  for (const key of keys) yield* (await storage.get(key)).stream;
}
