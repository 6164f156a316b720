import { type DetailedError, Upload } from 'tus-js-client';
import { useSession } from '#modules/account/web/session.ts';
import { AppError } from '#platform/contract/errors.ts';
import { API_BASE, call } from '#platform/web/api.ts';
import { track } from '#platform/web/in-flight.ts';
import { TUS_PATH, uploadApi } from '../upload.contract.ts';
import { hashFile, proveFile } from './hash-file.ts';
import { resumeOptions, statusOf } from './resume-options.ts';

const CHUNK_BYTES = 5 * 1024 * 1024;
/** Small files are sent sooner than they are asked about. */
const ASK_FROM_BYTES = 1024 * 1024;

export type Sending = {
  file: File;
  /** Where an earlier try got to. */
  uploadUrl: string;
  signal: AbortSignal;
  onHashing(share: number): void;
  onProgress(sent: number): void;
  onUrl(url: string): void;
};

/** Brings a file to the site, without its bytes where the site has them. Gives its attachment. */
export async function sendFile(sending: Sending): Promise<{ id: number; isInstant: boolean }> {
  const { file, uploadUrl } = sending;
  // A file that was moved or changed meanwhile fails here, not as if the network had.
  await file.slice(0, 1).arrayBuffer();
  if (!uploadUrl && file.size >= ASK_FROM_BYTES) {
    const known = await sendProof(sending);
    if (known !== null) return { id: known, isInstant: true };
  }
  return { id: await track(sendBytes(sending)), isInstant: false };
}

const isGone = (error: unknown) => error instanceof AppError && error.status === 404;

async function sendProof({ file, signal, onHashing }: Sending): Promise<number | null> {
  const hash = await hashFile(file, { signal, onProgress: onHashing });
  const asked = { name: file.name, size: file.size, hash };
  const { challenge } = await call(uploadApi.check, asked, { signal });
  if (!challenge) return null;
  try {
    const proof = await proveFile(file, challenge);
    const { id } = await call(uploadApi.instant, { id: challenge.id, proof }, { signal, isUsual: isGone });
    return id;
  } catch (error) {
    // The known file vanished meanwhile: then it is sent.
    if (isGone(error)) return null;
    throw error;
  }
}

async function sendBytes({ file, uploadUrl, signal, onProgress, onUrl }: Sending): Promise<number> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(file, {
      endpoint: `${API_BASE}${TUS_PATH}`,
      uploadUrl: uploadUrl || null,
      chunkSize: CHUNK_BYTES,
      metadata: { filename: file.name },
      ...resumeOptions,
      storeFingerprintForResuming: false,
      onBeforeRequest(request) {
        // Asked each time: somebody may have logged in anew meanwhile.
        request.setHeader('authorization', `Bearer ${useSession.getState().token}`);
      },
      onUploadUrlAvailable: () => onUrl(upload.url ?? ''),
      onProgress: (sent) => onProgress(sent),
      onSuccess({ lastResponse }) {
        const id = Number(lastResponse.getHeader('upload-attachment-id'));
        if (id > 0) resolve(id);
        else reject(new AppError('upload.failed', 0, '上传失败或超时，请重试'));
      },
      onError(error) {
        if (statusOf(error) === 401) void noticeEnd();
        reject(toAppError(error));
      },
    });
    signal.addEventListener('abort', () => {
      void upload.abort();
      reject(signal.reason);
    });
    upload.start();
  });
}

/** A refused token ends the session the way it does everywhere: by the answer to a call. */
const noticeEnd = () => call(uploadApi.list, {}).catch(() => {});

/** Gives back what the site holds of an upload nobody wants any more; it forgets it in a day anyway. */
export const cancelSending = (uploadUrl: string) =>
  track(
    fetch(uploadUrl, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${useSession.getState().token}`, 'tus-resumable': '1.0.0' },
      keepalive: true,
    }),
  ).catch(() => {});

function toAppError(error: Error | DetailedError): AppError {
  const status = statusOf(error);
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : '';
  return new AppError('upload.failed', status, messageIn(body) || '上传失败或超时，请重试');
}

function messageIn(body: string | undefined): string {
  try {
    const { message } = JSON.parse(body ?? '') as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
