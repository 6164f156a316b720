import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type ArchiveEntry, archiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { ArchiveRejected, unpackArchive, withUnpackedFile } from '#modules/conversion/unpack-archive.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { leaseUpload } from '../lease-upload.ts';
import { deleteUpload, findUpload, partsFolder, readParts, type UploadRow } from '../resumable-upload.ts';
import { toUploadStorageError } from '../storage-error.ts';
import { uploadErrors } from '../upload.contract.ts';
import { uploads } from '../upload.table.ts';
import { assertOpenUploadQuota } from '../upload-quota.ts';
import { allowedExtensions, assertMayUpload, maxDocumentBytes } from '../upload-rules.ts';
import { archiveErrors, isArchiveName } from './archive.contract.ts';

/** Unpacking may use as much memory as a conversion. The limit applies to one process, not to the site. */
const MAX_CONCURRENT_ARCHIVES = 1;
const RETRY_SECONDS = 5;

const listKey = (id: string) => `${partsFolder(id)}entries.json`;
export const entryKey = (id: string, index: number) => `${partsFolder(id)}entry/${index}`;

let runningArchives = 0;

/**
 * Unpacks a complete upload into temporary files of the storage, which are deleted with the upload, and lists the files
 * of the archive. Later calls return the same list.
 */
export async function unpackUploadedArchive(ctx: UserContext, { id }: { id: string }) {
  await assertMayUpload(ctx);
  const upload = await findUpload(ctx, id);
  if (!isArchiveName(upload.name)) throw uploadErrors.notFound();
  if (upload.received < upload.size) throw archiveErrors.incomplete();
  const storedEntries = await readArchiveEntries(ctx, id);
  if (storedEntries) return { entry: storedEntries };
  if (runningArchives >= MAX_CONCURRENT_ARCHIVES) throw archiveErrors.queued(undefined, RETRY_SECONDS);
  runningArchives += 1;
  try {
    return { entry: await unpackLeasedUpload(ctx, id) };
  } finally {
    runningArchives -= 1;
  }
}

/** Null until the archive is unpacked. */
export async function readArchiveEntries(ctx: UserContext, id: string): Promise<ArchiveEntry[] | null> {
  try {
    return z.array(archiveEntry).parse(await json((await ctx.storage.get(listKey(id))).stream));
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

async function unpackLeasedUpload(ctx: UserContext, id: string): Promise<ArchiveEntry[]> {
  const lease = await leaseUpload(ctx, id);
  if (!lease) throw archiveErrors.busy();
  try {
    return await unpackAndStore(ctx, lease.upload);
  } catch (error) {
    if (!(error instanceof ArchiveRejected)) throw error;
    await deleteUpload(ctx, id);
    throw archiveErrors.rejected(error.message);
  } finally {
    await lease.release();
  }
}

const unpackAndStore = (ctx: UserContext, upload: UploadRow): Promise<ArchiveEntry[]> =>
  withWorkFolder(ctx.config.dataDir, async (root) => {
    const [input, folder] = [path.join(root, 'archive'), path.join(root, 'work')];
    await mkdir(folder);
    await pipeline(Readable.from(readParts(ctx, upload.parts)), createWriteStream(input, { mode: 0o600 })).catch(
      (error) => {
        throw toUploadStorageError(ctx, error);
      },
    );
    const [extensions, maxFileBytes] = [await allowedExtensions(ctx), await maxDocumentBytes(ctx)];
    const entries = await unpackArchive({ input, folder, extensions, maxFileBytes });
    await storeEntries(ctx, upload, { entries, folder });
    return entries;
  });

type UnpackedArchive = { entries: ArchiveEntry[]; folder: string };

/** The unpacked documents replace the archive, also in the sizes of open uploads. */
async function storeEntries(ctx: UserContext, { id, size, parts }: UploadRow, { entries, folder }: UnpackedArchive) {
  const documents = entries.filter(({ problem }) => problem === null);
  const unpackedBytes = documents.reduce((sum, document) => sum + document.size, 0);
  await inTransaction(ctx, async (ctx) => {
    await assertOpenUploadQuota(ctx, Math.max(0, unpackedBytes - size));
    const newSize = Math.max(size, unpackedBytes);
    await ctx.db.update(uploads).set({ size: newSize, received: newSize }).where(eq(uploads.id, id));
  });
  try {
    for (const { index } of documents)
      await withUnpackedFile(folder, index, (bytes) => ctx.storage.put(entryKey(id, index), bytes));
    await ctx.storage.put(listKey(id), Buffer.from(JSON.stringify(entries)));
  } catch (error) {
    throw toUploadStorageError(ctx, error);
  }
  const newSize = Math.max(1, unpackedBytes);
  await ctx.db.update(uploads).set({ size: newSize, received: newSize, parts: [] }).where(eq(uploads.id, id));
  for (const key of parts) await ctx.storage.delete(key);
}
