import { posix } from 'node:path';
import { toDisplayFileName } from '#modules/attachment/store-uploaded-image.ts';
import type { UserContext } from '#platform/server/context.ts';
import { convertBeforePublication } from '../convert-before-publication.ts';
import { withReceivedFile } from '../receive-uploaded-file.ts';
import { findUpload } from '../resumable-upload.ts';
import { storeFileAsAttachment } from '../store-file-as-attachment.ts';
import { maxDocumentBytes, validateUpload } from '../upload-rules.ts';
import { archiveErrors, isArchiveName } from './archive.contract.ts';
import { entryKey, readArchiveEntries } from './unpack-uploaded-archive.ts';

/** Turns an unpacked document into an attachment. A repeated call creates another one, which expires if it is not used. */
export async function attachArchiveEntry(ctx: UserContext, { id, index }: { id: string; index: number }) {
  const upload = await findUpload(ctx, id);
  const entries = isArchiveName(upload.name) ? await readArchiveEntries(ctx, id) : null;
  const entry = entries?.find((candidate) => candidate.index === index && candidate.problem === null);
  if (!entry) throw archiveErrors.noFile();
  const name = toDisplayFileName(posix.basename(entry.path));
  const extension = await validateUpload(ctx, name, entry.size);
  const maxBytes = await maxDocumentBytes(ctx);
  const { stream } = await ctx.storage.get(entryKey(id, index));
  const attachment = await withReceivedFile(ctx, stream, maxBytes, (receivedFile) =>
    storeFileAsAttachment(ctx, receivedFile.file, { ...receivedFile, name, extension }, convertBeforePublication),
  );
  return { id: attachment.id };
}
