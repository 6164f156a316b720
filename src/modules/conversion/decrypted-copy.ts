import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { assertFileAllowed } from '#modules/attachment/assert-file-allowed.ts';
import { recordRemovedFiles } from '#modules/attachment/document-attachments.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import type { FileFormat } from './conversion.contract.ts';
import { ConversionTimeout, PermanentConversionError } from './convert/conversion-errors.ts';
import { decryptFile } from './convert/decrypt-file.ts';
import { conversionLimits } from './convert/limits.ts';
import { withWorkspace } from './convert/workspace.ts';
import { decryptionErrors } from './decryption.contract.ts';
import { detectFormat } from './detect-format.ts';
import { fileByteSource } from './file-byte-source.ts';
import { originalKey } from './rendition-keys.ts';
import { rejectionReasons } from './sandboxed/rejection-reasons.ts';

/** A decryption may use as much memory as a conversion. The limit applies to one process, not to the site. */
const MAX_CONCURRENT_DECRYPTIONS = 2;
const RETRY_SECONDS = 5;
/** The copy is erased after this time unless a document refers to it by then. */
const UNUSED_COPY_MS = 60 * 60 * 1000;

type EncryptedFile = { hash: string; format: FileFormat; extension: string };
export type DecryptedCopy = { hash: string; size: number; format: FileFormat };

let runningDecryptions = 0;

/** Decrypts a stored file and stores the copy under its own hash. */
export async function storeDecryptedCopy(ctx: Context, file: EncryptedFile, password: string): Promise<DecryptedCopy> {
  if (runningDecryptions >= MAX_CONCURRENT_DECRYPTIONS)
    throw httpErrors.unavailable('正在解锁的文档较多，请稍后重试', RETRY_SECONDS);
  runningDecryptions += 1;
  try {
    return await decryptAndStore(ctx, file, password);
  } finally {
    runningDecryptions -= 1;
  }
}

const decryptAndStore = (ctx: Context, file: EncryptedFile, password: string) =>
  withWorkspace(ctx, originalKey(file.hash), async (workspace) => {
    const { unlock: limits } = await conversionLimits(ctx);
    // Only the limits of the sandbox end it, which count processor time and idleness.
    const { signal } = new AbortController();
    const task = { workspace, limits, workload: new Workload(0), signal };
    const decryptedFile = await decryptFile(task, file.format, password).catch((error: unknown) => {
      throw toDecryptionError(error);
    });
    const copy = await hashAndDetectFile(decryptedFile, file.extension);
    await assertFileAllowed(ctx, copy.hash);
    await recordRemovedFiles(ctx, [copy.hash], new Date(ctx.now().getTime() + UNUSED_COPY_MS));
    await ctx.storage.put(originalKey(copy.hash), createReadStream(decryptedFile));
    return copy;
  });

function toDecryptionError(error: unknown): unknown {
  if (error instanceof PermanentConversionError)
    return error.message === rejectionReasons.wrongPassword
      ? decryptionErrors.wrongPassword()
      : decryptionErrors.unsupported(error.message);
  return error instanceof ConversionTimeout ? decryptionErrors.tooSlow() : error;
}

async function hashAndDetectFile(file: string, extension: string): Promise<DecryptedCopy> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const format = await detectFormat(fileByteSource(handle, size), extension);
    return { hash: hash.digest('hex'), size, format };
  } finally {
    await handle.close();
  }
}
