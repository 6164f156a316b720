import { documentErrors } from '#modules/document/document.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { errorMessageOf } from '#platform/web/use-form.ts';
import { archiveApi } from '../archive/archive.contract.ts';
import { sendFile } from './send-file.ts';
import { isPermanentRejection, type UploadItem } from './upload-item.ts';
import type { UploadFailure, UploadStep } from './upload-reducer.ts';

export type ReportStep = {
  report: (step: UploadStep) => void;
  /** Reports the step and stores the row, so that a reload restores it. */
  persist: (step: UploadStep) => Promise<void>;
};

type UploadTransfer = ReportStep & { item: UploadItem & { file: File }; signal: AbortSignal };

/** Sends the file of a row, which is not published yet. */
export async function sendUpload(transfer: UploadTransfer): Promise<void> {
  const { signal, report, persist } = transfer;
  try {
    await persist({ type: 'started' });
    signal.throwIfAborted();
    const { id, isInstant } = await sendAttachment(transfer);
    // Also after a pause: the file is on the server.
    await persist({ type: 'fileSent', attachmentId: id, isInstant });
  } catch (error) {
    if (signal.aborted) report({ type: 'paused' });
    else await reportFailure(error, transfer);
  }
}

async function sendAttachment({ item, signal, report, persist }: UploadTransfer) {
  const { file, uploadUrl, archive } = item;
  if (archive) {
    report({ type: 'sendingProgressed', progress: 1 });
    const { uploadId, index } = archive;
    const { id } = await callEndpoint(archiveApi.attach, { id: uploadId, index }, { signal });
    return { id, isInstant: false };
  }
  return sendFile({
    file,
    uploadUrl,
    signal,
    onHashing: (progress) => report({ type: 'hashingProgressed', progress }),
    onProgress: (bytes) => report({ type: 'sendingProgressed', progress: bytes / file.size }),
    onUrl: (newUrl) => {
      if (!signal.aborted) void persist({ type: 'uploadUrlReceived', uploadUrl: newUrl });
    },
  });
}

export async function reportFailure(error: unknown, { report, persist }: ReportStep): Promise<void> {
  const { failure, isPersisted } = describeFailure(error);
  if (isPersisted) await persist({ type: 'failed', failure });
  else report({ type: 'failed', failure });
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
