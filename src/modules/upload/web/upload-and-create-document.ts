import { documentApi, documentErrors } from '#modules/document/document.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { errorMessageOf } from '#platform/web/use-form.ts';
import { archiveApi } from '../archive/archive.contract.ts';
import { sendFile } from './send-file.ts';
import { isPermanentRejection, type UploadItem } from './upload-item.ts';
import type { UploadFailure, UploadStep } from './upload-reducer.ts';

type UploadRun = {
  item: UploadItem & { file: File };
  /** Ids of the category and its ancestors. */
  path: number[];
  signal: AbortSignal;
  report: (step: UploadStep) => void;
  /** Reports the step and stores the row, so that a reload restores it. */
  persist: (step: UploadStep) => Promise<void>;
};

/** Sends one file and creates its document. */
export async function uploadAndCreateDocument(run: UploadRun): Promise<void> {
  const { item, path, signal, report, persist } = run;
  try {
    // From here on a reload restores the row.
    await persist({ type: 'started' });
    signal.throwIfAborted();
    const attachmentId = item.attachmentId || (await sendAttachment(run));
    report({ type: 'savingStarted' });
    const input = { title: item.title, price: Number(item.price), attachment_id: attachmentId };
    const { document } = await callEndpoint(documentApi.create, { category_id: path, document: [input] });
    const { id: documentId = 0, same = [] } = document[0] ?? {};
    report({ type: 'documentCreated', documentId, same });
  } catch (error) {
    if (signal.aborted) report({ type: 'paused' });
    // An earlier attempt created the document, but its response was lost.
    else if (documentErrors.usedFile.is(error)) report({ type: 'documentCreated', documentId: 0, same: [] });
    else {
      const { failure, isPersisted } = describeFailure(error);
      if (isPersisted) await persist({ type: 'failed', failure });
      else report({ type: 'failed', failure });
    }
  }
}

/** Returns the id of the attachment. Throws when the upload was paused or removed in the meantime. */
async function sendAttachment({ item, signal, report, persist }: UploadRun): Promise<number> {
  const { file, uploadUrl, archive } = item;
  if (archive) {
    report({ type: 'sendingProgressed', progress: 1 });
    const { uploadId, index } = archive;
    const attachment = await callEndpoint(archiveApi.attach, { id: uploadId, index }, { signal });
    await persist({ type: 'fileSent', attachmentId: attachment.id, isInstant: false });
    signal.throwIfAborted();
    return attachment.id;
  }
  const { id, isInstant } = await sendFile({
    file,
    uploadUrl,
    signal,
    onHashing: (progress) => report({ type: 'hashingProgressed', progress }),
    onProgress: (bytes) => report({ type: 'sendingProgressed', progress: bytes / file.size }),
    onUrl: (newUrl) => {
      if (!signal.aborted) void persist({ type: 'uploadUrlReceived', uploadUrl: newUrl });
    },
  });
  signal.throwIfAborted();
  await persist({ type: 'fileSent', attachmentId: id, isInstant });
  signal.throwIfAborted();
  return id;
}

/** A rejection is persisted with its reason; a network failure is retried after a reload. */
function describeFailure(error: unknown): { failure: UploadFailure; isPersisted: boolean } {
  const message = errorMessageOf(error) || '上传失败或超时，请重试';
  // The sent file was deleted: the next attempt sends it again.
  if (documentErrors.wrongFile.is(error) || documentErrors.missingFile.is(error))
    return { failure: { error: '文件已过期，请重新上传', attachmentId: 0, uploadUrl: '' }, isPersisted: true };
  if (error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name))
    return { failure: { error: '文件已被移动或修改，请重新选择', isRefused: true }, isPersisted: true };
  // A rejected file does not reuse its upload URL.
  if (error instanceof AppError && isPermanentRejection(error.status))
    return { failure: { error: message, isRefused: true, uploadUrl: '' }, isPersisted: true };
  return { failure: { error: message }, isPersisted: false };
}
