import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { shownName } from '#modules/attachment/receive-image.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { UserContext } from '#platform/server/context.ts';
import type { ReceivedFile } from '#platform/server/http/receive-file.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { acceptFile } from './accept-file.ts';
import { storingError } from './storing-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { checkUpload, maxDocumentBytes, tooLarge } from './upload-rules.ts';

/** The one-request upload. */
export async function receiveDocument(ctx: UserContext, { file }: { file: ReceivedFile }) {
  const name = shownName(file.name);
  const extension = await checkUpload(ctx, name);
  const maxBytes = await maxDocumentBytes(ctx);
  const id = await withReceived(ctx, arriving(file.stream), maxBytes, async (received) => {
    const accepted = await acceptFile(ctx, received.file, { ...received, name, extension });
    return accepted.id;
  });
  return { code: 200, message: 'ok', data: { id } };
}

/** What fails here is the sender's connection, whatever else fails is ours. */
async function* arriving(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw error instanceof AppError ? error : uploadErrors.broken();
  }
}

type Received = { file: string; hash: string; size: number };

/** Writes what comes to a file of this machine, for as long as `work` needs it. */
export async function withReceived<T>(
  ctx: UserContext,
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  const hash = createHash('sha256');
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  return withWorkFolder(ctx.config.dataDir, async (folder) => {
    const file = path.join(folder, 'file');
    await pipeline(source, meter, createWriteStream(file, { mode: 0o600 })).catch((error) => {
      throw storingError(ctx, error);
    });
    return work({ file, size, hash: hash.digest('hex') });
  });
}
