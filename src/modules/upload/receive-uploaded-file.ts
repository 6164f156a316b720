import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toDisplayFileName } from '#modules/attachment/store-uploaded-image.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { UserContext } from '#platform/server/context.ts';
import type { ReceivedFile } from '#platform/server/http/receive-file.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { toUploadStorageError } from './storage-error.ts';
import { storeFileAsAttachment } from './store-file-as-attachment.ts';
import { uploadErrors } from './upload.contract.ts';
import { withReservedBytes } from './upload-quota.ts';
import { fileTooLargeError, maxDocumentBytes, validateUpload } from './upload-rules.ts';

export async function receiveUploadedFile(ctx: UserContext, { file }: { file: ReceivedFile }) {
  const name = toDisplayFileName(file.name);
  const extension = await validateUpload(ctx, name);
  const maxBytes = await maxDocumentBytes(ctx);
  const { id } = await withReservedBytes(ctx, Math.min(file.maxLength, maxBytes), () =>
    withReceivedFile(ctx, readRequestBody(file.stream), maxBytes, (receivedFile) =>
      storeFileAsAttachment(ctx, receivedFile.file, { ...receivedFile, name, extension }),
    ),
  ).finally(() => file.stream.destroy());
  return { code: 200, message: 'ok', data: { id } };
}

/** An error of the stream is an interrupted connection, not an error of the server. */
async function* readRequestBody(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw error instanceof AppError ? error : uploadErrors.broken();
  }
}

type HashedFile = { file: string; hash: string; size: number };

/** Writes the source to a temporary file that exists while `work` runs. */
export async function withReceivedFile<T>(
  ctx: UserContext,
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  work: (file: HashedFile) => Promise<T>,
): Promise<T> {
  const hash = createHash('sha256');
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _, callback) {
      size += chunk.length;
      hash.update(chunk);
      callback(size > maxBytes ? fileTooLargeError(maxBytes) : null, chunk);
    },
  });
  return withWorkFolder(ctx.config.dataDir, async (folder) => {
    const file = path.join(folder, 'file');
    await pipeline(source, meter, createWriteStream(file, { mode: 0o600 })).catch((error) => {
      throw toUploadStorageError(ctx, error);
    });
    return work({ file, size, hash: hash.digest('hex') });
  });
}
