import { useEffect, useRef, useState } from 'react';
import type { ArchiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { AppError, isTransientStatus } from '#platform/contract/errors.ts';
import { errorMessageOf } from '#platform/web/use-form.ts';
import { cancelResumableUpload, resumableUploadUrl, sendArchive } from '../send-file.ts';
import type { UploadItem } from '../upload-item.ts';
import { forgetArchive, loadArchives, rememberArchive } from './stored-archives.ts';
import { unpackSentArchive } from './unpack-sent-archive.ts';

export type ArchiveUpload = {
  key: string;
  name: string;
  size: number;
  /** Empty until the server has accepted the upload. */
  uploadId: string;
  state: 'sending' | 'unpacking' | 'listed' | 'failed';
  /** Share of the bytes that are sent, 0 to 1. */
  progress: number;
  entries: ArchiveEntry[];
  error: string;
  /** The archive is on the server, which may unpack it later. */
  canRetry: boolean;
};

type NameAndSize = Pick<File, 'name' | 'size'>;
const isSameFile = (a: NameAndSize, b: NameAndSize) => a.name === b.name && a.size === b.size;

/** Whether documents of the archive were added to the upload list. */
export const hasItems = ({ uploadId }: ArchiveUpload, items: readonly UploadItem[]): boolean =>
  items.some(({ archive }) => archive?.uploadId === uploadId);

/** Archives that are sent or wait for the user's choice. One that was sent completely survives a reload. */
export function useArchives(userId: number) {
  const [archives, setArchives] = useState<ArchiveUpload[]>([]);
  const controllers = useRef(new Map<string, AbortController>());
  const update = (key: string, values: Partial<ArchiveUpload>) =>
    setArchives((list) => list.map((archive) => (archive.key === key ? { ...archive, ...values } : archive)));

  const run = (archive: ArchiveUpload, file: File | null, uploadUrl = '') => {
    const { key } = archive;
    const controller = new AbortController();
    const { signal } = controller;
    controllers.current.set(key, controller);
    setArchives((list) => [...list.filter((other) => other.key !== key), archive]);
    const remember = (uploadId: string, isSent: boolean) => {
      rememberArchive({ userId, uploadId, name: archive.name, size: archive.size, isSent });
      update(key, { uploadId });
    };
    let isSent = file === null;
    const work = async () => {
      const uploadId = file ? await send(file) : archive.uploadId;
      isSent = true;
      remember(uploadId, true);
      update(key, { state: 'unpacking' });
      update(key, { state: 'listed', entries: await unpackSentArchive(uploadId, signal) });
    };
    const send = (sentFile: File) =>
      sendArchive({
        file: sentFile,
        uploadUrl,
        signal,
        onProgress: (bytes) => update(key, { progress: bytes / archive.size }),
        onUrl: (url) => remember(url.slice(url.lastIndexOf('/') + 1), false),
      });
    work().catch((error: unknown) => {
      if (signal.aborted) return;
      const canRetry = isSent && error instanceof AppError && isTransientStatus(error.status);
      update(key, { state: 'failed', error: errorMessageOf(error) || '上传失败或超时，请重试', canRetry });
    });
  };

  const restore = useRef(() => {});
  restore.current = () => {
    for (const { uploadId, name, size, isSent } of loadArchives(userId))
      if (isSent) run(newArchive({ name, size, uploadId, state: 'unpacking' }), null);
  };
  useEffect(() => {
    if (userId !== 0) restore.current();
    const runningControllers = controllers.current;
    return () => {
      for (const controller of runningControllers.values()) controller.abort();
    };
  }, [userId]);

  return {
    archives,
    /** Returns a message for each archive that is listed already. One whose documents are `items` may be chosen again. */
    add(files: File[], items: readonly UploadItem[]): string[] {
      const listedArchives = archives.filter((archive) => archive.state !== 'failed' && !hasItems(archive, items));
      const isListed = (file: File) => listedArchives.some((archive) => isSameFile(archive, file));
      const distinctFiles = files.filter((file, at) => files.findIndex((each) => isSameFile(each, file)) === at);
      for (const file of distinctFiles.filter((each) => !isListed(each))) {
        const { name, size } = file;
        // Continues an upload that was interrupted.
        const partial = loadArchives(userId).find((archive) => !archive.isSent && isSameFile(archive, file));
        run(newArchive({ name, size, state: 'sending' }), file, partial ? resumableUploadUrl(partial.uploadId) : '');
      }
      return distinctFiles.filter(isListed).map(({ name }) => `${name} 已在列表中`);
    },
    retry: (archive: ArchiveUpload) => run({ ...archive, state: 'unpacking', error: '', canRetry: false }, null),
    /** Hides an archive whose documents were added to the upload list. */
    close: (key: string) => setArchives((list) => list.filter((archive) => archive.key !== key)),
    /** Deletes an archive on the server, too. */
    discard({ key, uploadId }: ArchiveUpload) {
      controllers.current.get(key)?.abort();
      setArchives((list) => list.filter((archive) => archive.key !== key));
      if (!uploadId) return;
      forgetArchive(uploadId);
      void cancelResumableUpload(resumableUploadUrl(uploadId));
    },
  };
}

const newArchive = (values: Pick<ArchiveUpload, 'name' | 'size' | 'state'> & { uploadId?: string }): ArchiveUpload => ({
  key: crypto.randomUUID(),
  uploadId: '',
  progress: 0,
  entries: [],
  error: '',
  canRetry: false,
  ...values,
});
