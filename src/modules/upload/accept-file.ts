import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { and, eq } from 'drizzle-orm';
import type { ContentFormat } from '#modules/content/content.contract.ts';
import { originalKey } from '#modules/content/content-keys.ts';
import { lockOriginal, originalPath } from '#modules/content/lock-original.ts';
import { type Source, sniffFormat } from '#modules/content/sniff-format.ts';
import { attachmentTypes, fileErrors } from '#modules/file/file.contract.ts';
import { attachments } from '#modules/file/file.table.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';

/** Number of documents among the kinds of attachments. */
export const DOCUMENT_TYPE = attachmentTypes.document;

type Arrived = { hash: string; size: number; name: string; extension: string };

/** A complete file on this machine becomes an attachment, or is refused with a reason. */
export async function acceptFile(
  ctx: UserContext,
  file: string,
  arrived: Arrived,
): Promise<{ id: number; format: ContentFormat }> {
  const handle = await open(file, 'r');
  try {
    const format = await sniffFormat(sourceOf(handle, arrived.size), arrived.extension);
    const store = async () => {
      const known = await ctx.storage.stat(originalKey(arrived.hash));
      if (known?.size !== arrived.size)
        await ctx.storage.put(originalKey(arrived.hash), createReadStream(file));
    };
    return { format, id: await addAttachment(ctx, arrived, store) };
  } finally {
    await handle.close();
  }
}

const sourceOf = (handle: FileHandle, size: number): Source => ({
  size,
  async read(start, length) {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.subarray(0, bytesRead);
  },
});

/** `store` runs while nobody else can store or remove this file. */
export const addAttachment = (
  ctx: UserContext,
  { hash, size, name, extension }: Arrived,
  store: () => Promise<void>,
): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const path = originalPath(hash);
    await lockOriginal(ctx, hash);
    const [banned] = await ctx.db
      .select({ id: attachments.id })
      .from(attachments)
      .where(and(eq(attachments.hash, hash), eq(attachments.enable, false)))
      .limit(1);
    if (banned) throw fileErrors.illegal();
    await store();
    const [row] = await ctx.db
      .insert(attachments)
      .values({
        ...{ hash, size, path, name, ext: `.${extension}`, type: DOCUMENT_TYPE },
        user_id: ctx.user.id,
        ip: ctx.client.ip,
        created_at: ctx.now().toISOString(),
      })
      .returning({ id: attachments.id });
    if (!row) throw new Error('the insert returned no row');
    return row.id;
  });
