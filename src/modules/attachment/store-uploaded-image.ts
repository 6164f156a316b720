import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '#platform/contract/errors.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import type { ReceivedFile } from '#platform/server/http/receive-file.ts';
import { pictureTypes, pictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import { assertFileAllowed } from './assert-file-allowed.ts';
import { attachmentTypes, fileErrors } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';
import { encodeImage } from './encode-image.ts';
import { lockFile } from './link-attachments.ts';
import { rasterizeSvg } from './rasterize-svg.ts';
import { assertStorageQuota } from './storage-quota.ts';

const AVATAR_SIDE_PIXELS = 256;

/** Also the name of the folder. */
export type PictureKind = 'avatar' | 'article' | 'banner' | 'category' | 'config';

/** Names are only displayed and never used as paths: takes the last part without invisible characters. */
export const toDisplayFileName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 255)
    .toWellFormed();

async function readUploadedBytes(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    // 413 is the limit of the endpoint; an error that is not from the application means an interrupted upload.
    if (error instanceof AppError) throw error.status === 413 ? fileErrors.tooLarge() : error;
    throw fileErrors.missing('文件没有传完，请重新上传');
  }
  return Buffer.concat(chunks);
}

type StoredPicture = { id: number; name: string; path: string; size: number };

/** Stores an uploaded picture that no row uses yet. `onStored` runs in the same transaction. */
export async function storeUploadedImage(
  ctx: UserContext,
  kind: PictureKind,
  file: ReceivedFile,
  onStored?: (ctx: UserContext, picture: StoredPicture) => Promise<void>,
) {
  const receivedBytes = await readUploadedBytes(file.stream);
  if (receivedBytes.length === 0) throw fileErrors.missing();
  const pictureBytes = kind === 'config' ? await rasterizeSvg(receivedBytes) : receivedBytes;
  const { bytes, extension, width, height } = await encodeImage(pictureBytes, {
    preservePng: kind === 'config',
    ...(kind === 'avatar' && { square: AVATAR_SIDE_PIXELS }),
  });
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = pictureUploadPath(kind, hash, extension);
  return inTransaction(ctx, async (ctx) => {
    await assertStorageQuota(ctx, { path, size: bytes.length });
    await lockFile(ctx, path);
    await assertFileAllowed(ctx, hash);
    await ctx.storage.put(path.slice(1), bytes, { contentType: pictureTypes[extension] });
    const [row] = await ctx.db
      .insert(attachments)
      .values({
        hash,
        path,
        width,
        height,
        size: bytes.length,
        ext: `.${extension}`,
        type: attachmentTypes[kind],
        user_id: ctx.user.id,
        name: toDisplayFileName(file.name),
        ip: ctx.client.ip,
        created_at: ctx.now().toISOString(),
      })
      .returning();
    if (!row) throw new Error('the insert returned no row');
    await onStored?.(ctx, row);
    return { ...row, user_id: ctx.user.id };
  });
}
