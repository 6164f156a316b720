import { type DetailedError, Upload } from 'tus-js-client';
import { useSession } from '#modules/account/web/session-store.ts';
import { AppError } from '#platform/contract/errors.ts';
import { API_BASE, callEndpoint } from '#platform/web/api.ts';
import { trackRequest } from '#platform/web/in-flight-requests.ts';
import { TUS_PATH, uploadApi } from '../upload.contract.ts';
import { computePossessionProof, hashFile } from './hash-file.ts';
import { responseStatus, resumeOptions } from './tus-resume-options.ts';

const CHUNK_BYTES = 5 * 1024 * 1024;
/** Sending a small file is faster than checking its hash. */
const INSTANT_UPLOAD_MIN_BYTES = 1024 * 1024;

export type SendFileOptions = {
  file: File;
  /** Upload URL of an earlier attempt. */
  uploadUrl: string;
  signal: AbortSignal;
  onHashing(share: number): void;
  onProgress(sentBytes: number): void;
  onUrl(url: string): void;
};

/** Uploads a file, or only a proof if the site already has the file. Returns its attachment. */
export async function sendFile(options: SendFileOptions): Promise<{ id: number; isInstant: boolean }> {
  const { file, uploadUrl } = options;
  // A moved or changed file fails here instead of as a network error.
  await file.slice(0, 1).arrayBuffer();
  if (!uploadUrl && file.size >= INSTANT_UPLOAD_MIN_BYTES) {
    const instantId = await sendProof(options);
    if (instantId !== null) return { id: instantId, isInstant: true };
  }
  const { attachmentId } = await trackRequest(sendBytes(options));
  if (attachmentId > 0) return { id: attachmentId, isInstant: false };
  throw new AppError('upload.failed', 0, '上传失败或超时，请重试');
}

/** Uploads an archive, which stays an upload. Returns the id of the upload. */
export async function sendArchive(options: Omit<SendFileOptions, 'onHashing'>): Promise<string> {
  await options.file.slice(0, 1).arrayBuffer();
  const { url } = await trackRequest(sendBytes(options));
  return url.slice(url.lastIndexOf('/') + 1);
}

export const resumableUploadUrl = (uploadId: string): string => `${API_BASE}${TUS_PATH}/${uploadId}`;

const isNotFound = (error: unknown) => error instanceof AppError && error.status === 404;

async function sendProof({ file, signal, onHashing }: SendFileOptions): Promise<number | null> {
  const hash = await hashFile(file, { signal, onProgress: onHashing });
  const fileInfo = { name: file.name, size: file.size, hash };
  const { challenge } = await callEndpoint(uploadApi.check, fileInfo, { signal });
  if (!challenge) return null;
  try {
    const proof = await computePossessionProof(file, challenge);
    const { id } = await callEndpoint(
      uploadApi.instant,
      { id: challenge.id, proof },
      { signal, isExpectedError: isNotFound },
    );
    return id;
  } catch (error) {
    // The stored file was deleted in the meantime, so the bytes are sent.
    if (isNotFound(error)) return null;
    throw error;
  }
}

type SentFile = { attachmentId: number; url: string };

async function sendBytes({
  file,
  uploadUrl,
  signal,
  onProgress,
  onUrl,
}: Omit<SendFileOptions, 'onHashing'>): Promise<SentFile> {
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
        // Read for each request, because the user may have logged in again.
        request.setHeader('authorization', `Bearer ${useSession.getState().token}`);
      },
      onUploadUrlAvailable: () => onUrl(upload.url ?? ''),
      onProgress: (sentBytes) => onProgress(sentBytes),
      onSuccess({ lastResponse }) {
        resolve({ attachmentId: Number(lastResponse.getHeader('upload-attachment-id')), url: upload.url ?? '' });
      },
      onError(error) {
        if (responseStatus(error) === 401) void endRejectedSession();
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

/** Ends the session: `callEndpoint` handles the 401 of a rejected token, tus-js-client does not. */
const endRejectedSession = () => callEndpoint(uploadApi.list, {}).catch(() => {});

/** Deletes an unwanted upload on the server, which would delete it after a day. */
export const cancelResumableUpload = (uploadUrl: string) =>
  trackRequest(
    fetch(uploadUrl, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${useSession.getState().token}`, 'tus-resumable': '1.0.0' },
      keepalive: true,
    }),
  ).catch(() => {});

function toAppError(error: Error | DetailedError): AppError {
  const status = responseStatus(error);
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : '';
  return new AppError('upload.failed', status, parseMessage(body) || '上传失败或超时，请重试');
}

function parseMessage(body: string | undefined): string {
  try {
    const { message } = JSON.parse(body ?? '') as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}
