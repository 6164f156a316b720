import { documentApi, documentErrors } from '#modules/document/document.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { call } from '#platform/web/api.ts';
import { messageOf } from '#platform/web/use-form.ts';
import { rememberFinished } from './finished-uploads.ts';
import { sendFile } from './send-file.ts';
import { deleteUpload } from './unfinished-uploads.ts';
import { isRefusal, type UploadItem } from './upload-list.ts';

type Values = Partial<UploadItem>;
type Run = {
  item: UploadItem;
  file: File;
  /** The category with those above it. */
  path: number[];
  userId: number;
  signal: AbortSignal;
  change: (values: Values) => void;
  /** Writes the row down, so that a reload finds it. */
  keep: (item: UploadItem) => Promise<void>;
};

/** Sends one file and makes it a document. */
export async function runUpload(run: Run): Promise<void> {
  const { file, path, userId, signal, change } = run;
  let { item } = run;
  const { title, price } = item;
  const keep = (values: Values) => {
    item = { ...item, ...values };
    change(values);
    return run.keep(item);
  };
  /** The same where it may have been paused or removed meanwhile. */
  const step = async (values: Values) => {
    await keep(values);
    signal.throwIfAborted();
  };
  const finish = (values: Values) => {
    const done = { ...values, state: 'done', progress: 1 } as const;
    change(done);
    rememberFinished(userId, { ...item, ...done });
    return deleteUpload(item.key);
  };
  try {
    // A reload at any moment from here on finds it again.
    await step({ state: 'hashing', progress: 0, error: '', isRefused: false });
    if (item.attachmentId === 0) {
      const sent = await sendFile({
        file,
        uploadUrl: item.uploadUrl,
        signal,
        onHashing: (progress) => change({ state: 'hashing', progress }),
        onProgress: (bytes) => change({ state: 'sending', progress: bytes / file.size }),
        onUrl: (uploadUrl) => {
          if (!signal.aborted) void keep({ uploadUrl });
        },
      });
      signal.throwIfAborted();
      await step({ attachmentId: sent.id, isInstant: sent.isInstant });
    }
    change({ state: 'saving', progress: 1 });
    const input = { title, price: Number(price), attachment_id: item.attachmentId };
    const { document } = await call(documentApi.create, { category_id: path, document: [input] });
    const { id: documentId = 0, same = [] } = document[0] ?? {};
    await finish({ documentId, same });
  } catch (error) {
    if (signal.aborted) change({ state: 'paused' });
    // It is the document of an earlier try whose answer never came.
    else if (documentErrors.usedFile.is(error)) await finish({});
    else {
      const failed = failureOf(error);
      if (failed.isKept) await keep(failed.values);
      else change(failed.values);
    }
  }
}

/** A refusal is kept with its reason; a network that failed is tried again after a reload. */
function failureOf(error: unknown): { values: Values; isKept: boolean } {
  const failed = { state: 'failed', error: messageOf(error) || '上传失败或超时，请重试' } as const;
  // What was sent is gone: the next try sends it again.
  if (documentErrors.wrongFile.is(error) || documentErrors.missingFile.is(error)) {
    const told = '文件已过期，请重新上传';
    return { values: { ...failed, error: told, attachmentId: 0, uploadUrl: '' }, isKept: true };
  }
  if (error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name)) {
    const told = '文件已被移动或修改，请重新选择';
    return { values: { ...failed, error: told, isRefused: true }, isKept: true };
  }
  // A file the site refused is not asked about again under its old address.
  if (error instanceof AppError && isRefusal(error.status))
    return { values: { ...failed, isRefused: true, uploadUrl: '' }, isKept: true };
  return { values: failed, isKept: false };
}
