import { documentApi, documentErrors } from '#modules/document/document.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { errorMessageOf } from '#platform/web/use-form.ts';
import { storeFinishedUpload } from './finished-uploads.ts';
import { sendFile } from './send-file.ts';
import { deleteUnfinishedUpload } from './unfinished-uploads.ts';
import { isPermanentRejection, type UploadItem } from './upload-item.ts';

type Values = Partial<UploadItem>;
type UploadRun = {
  item: UploadItem;
  file: File;
  /** Ids of the category and its ancestors. */
  path: number[];
  userId: number;
  signal: AbortSignal;
  change: (values: Values) => void;
  /** Persists the row, so that a reload restores it. */
  persist: (item: UploadItem) => Promise<void>;
};

/** Sends one file and creates its document. */
export async function uploadAndCreateDocument(uploadRun: UploadRun): Promise<void> {
  const { file, path, userId, signal, change } = uploadRun;
  let { item } = uploadRun;
  const { title, price } = item;
  const persist = (values: Values) => {
    item = { ...item, ...values };
    change(values);
    return uploadRun.persist(item);
  };
  /** Also stops when the upload was paused or removed in the meantime. */
  const persistAndCheck = async (values: Values) => {
    await persist(values);
    signal.throwIfAborted();
  };
  const finish = (values: Values) => {
    const doneValues = { ...values, state: 'done', progress: 1 } as const;
    change(doneValues);
    storeFinishedUpload(userId, { ...item, ...doneValues });
    return deleteUnfinishedUpload(item.key);
  };
  try {
    // From here on a reload restores the row.
    await persistAndCheck({ state: 'hashing', progress: 0, error: '', isRefused: false });
    if (item.attachmentId === 0) {
      const sentFile = await sendFile({
        file,
        uploadUrl: item.uploadUrl,
        signal,
        onHashing: (progress) => change({ state: 'hashing', progress }),
        onProgress: (bytes) => change({ state: 'sending', progress: bytes / file.size }),
        onUrl: (uploadUrl) => {
          if (!signal.aborted) void persist({ uploadUrl });
        },
      });
      signal.throwIfAborted();
      await persistAndCheck({ attachmentId: sentFile.id, isInstant: sentFile.isInstant });
    }
    change({ state: 'saving', progress: 1 });
    const input = { title, price: Number(price), attachment_id: item.attachmentId };
    const { document } = await callEndpoint(documentApi.create, { category_id: path, document: [input] });
    const { id: documentId = 0, same = [] } = document[0] ?? {};
    await finish({ documentId, same });
  } catch (error) {
    if (signal.aborted) change({ state: 'paused' });
    // An earlier attempt created the document, but its response was lost.
    else if (documentErrors.usedFile.is(error)) await finish({});
    else {
      const failure = describeFailure(error);
      if (failure.isPersisted) await persist(failure.values);
      else change(failure.values);
    }
  }
}

/** A rejection is persisted with its reason; a network failure is retried after a reload. */
function describeFailure(error: unknown): { values: Values; isPersisted: boolean } {
  const failure = { state: 'failed', error: errorMessageOf(error) || '上传失败或超时，请重试' } as const;
  // The sent file was deleted: the next attempt sends it again.
  if (documentErrors.wrongFile.is(error) || documentErrors.missingFile.is(error)) {
    const message = '文件已过期，请重新上传';
    return { values: { ...failure, error: message, attachmentId: 0, uploadUrl: '' }, isPersisted: true };
  }
  if (error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name)) {
    const message = '文件已被移动或修改，请重新选择';
    return { values: { ...failure, error: message, isRefused: true }, isPersisted: true };
  }
  // A rejected file does not reuse its upload URL.
  if (error instanceof AppError && isPermanentRejection(error.status))
    return { values: { ...failure, isRefused: true, uploadUrl: '' }, isPersisted: true };
  return { values: failure, isPersisted: false };
}
