import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { assertFileAllowed } from '#modules/attachment/assert-file-allowed.ts';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { detectFormat } from '#modules/conversion/detect-format.ts';
import { fileSource } from '#modules/conversion/file-source.ts';
import { lockOriginal, originalPath } from '#modules/conversion/lock-original.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { storingError } from './storing-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { checkStoredFile } from './upload-quota.ts';

/** Number of documents among the kinds of attachments. */
export const DOCUMENT_TYPE = attachmentTypes.document;

/** Somebody may erase the same file again and again; not for ever. */
const MAX_TRIES = 5;

type Also = (ctx: UserContext, id: number) => Promise<void>;
type Arrived = { hash: string; size: number; name: string; extension: string };

/**
 * A complete file on this machine becomes an attachment, or is refused with a reason. `also` belongs to
 * it: both happen or neither.
 */
export async function acceptFile(
  ctx: UserContext,
  file: string,
  arrived: Arrived,
  also?: Also,
): Promise<{ id: number; format: FileFormat }> {
  const handle = await open(file, 'r');
  try {
    const format = await detectFormat(fileSource(handle, arrived.size), arrived.extension);
    await assertFileAllowed(ctx, arrived.hash);
    for (let left = MAX_TRIES; left > 0; left--) {
      await store(ctx, file, arrived).catch((error: unknown) => {
        throw storingError(ctx, error);
      });
      const id = await addAttachment(ctx, arrived, also);
      if (id !== null) return { format, id };
    }
    throw uploadErrors.storageFailed();
  } finally {
    await handle.close();
  }
}

/** Takes longer than a transaction may wait; so that it is still there is looked at within one. */
async function store(ctx: UserContext, file: string, arrived: Arrived): Promise<void> {
  if (!(await isStored(ctx, arrived))) await ctx.storage.put(originalKey(arrived.hash), createReadStream(file));
}

const isStored = async ({ storage }: UserContext, { hash, size }: Arrived) =>
  (await storage.stat(originalKey(hash)))?.size === size;

/** An attachment of a stored file; null when somebody has erased that file meanwhile. */
export const addAttachment = (
  ctx: UserContext,
  arrived: Arrived,
  also: Also = async () => {},
): Promise<number | null> =>
  inTransaction(ctx, async (ctx) => {
    const { hash, size, name, extension } = arrived;
    await checkStoredFile(ctx, arrived);
    await lockOriginal(ctx, hash);
    await assertFileAllowed(ctx, hash);
    if (!(await isStored(ctx, arrived))) return null;
    const [row] = await ctx.db
      .insert(attachments)
      .values({
        hash,
        size,
        name,
        ext: `.${extension}`,
        type: DOCUMENT_TYPE,
        path: originalPath(hash),
        user_id: ctx.user.id,
        ip: ctx.client.ip,
        created_at: ctx.now().toISOString(),
      })
      .returning({ id: attachments.id });
    if (!row) throw new Error('the insert returned no row');
    await also(ctx, row.id);
    return row.id;
  });
