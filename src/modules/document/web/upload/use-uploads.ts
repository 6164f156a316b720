import { useCallback, useEffect, useRef, useState } from 'react';
import { ancestryOf } from '#modules/category/web/category-tree.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { AppError } from '#platform/contract/errors.ts';
import { call } from '#platform/web/api.ts';
import { messageOf } from '#platform/web/use-form.ts';
import { documentApi, documentErrors } from '../../document.contract.ts';
import { finishedUploads, forgetFinished, rememberFinished } from './finished-uploads.ts';
import { forgetUpload, type KeptUpload, keepUpload, keptUploads } from './kept-uploads.ts';
import { sendFile } from './send-file.ts';
import {
  isRefusal,
  isToSend,
  merged,
  newItem,
  rowProblem,
  type UploadItem,
} from './upload-list.ts';

const AT_ONCE = 2;
const busy: readonly UploadItem['state'][] = ['hashing', 'sending', 'saving'];

/** The list of uploads of this page: it sends two at a time, and goes on after a reload. */
export function useUploads(userId: number) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const [categoryId, setCategoryId] = useState(0);
  const controllers = useRef(new Map<string, AbortController>());
  const { map } = useCategories();

  const change = useCallback((key: string, values: Partial<UploadItem>) => {
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...values } : item)));
  }, []);

  // What an earlier visit left unfinished is there again, and what it finished.
  useEffect(() => {
    if (userId === 0) return;
    setItems((all) => merged(all, finishedUploads(userId)));
    void keptUploads(userId).then((kept) => {
      if (kept.length === 0) return;
      setCategoryId(
        (chosen) => chosen || kept.find(({ categoryId }) => categoryId > 0)?.categoryId || 0,
      );
      setItems((all) => merged(all, kept.map(restored)));
    });
  }, [userId]);

  const send = useCallback(
    async (item: UploadItem, file: File, path: number[]) => {
      const controller = new AbortController();
      controllers.current.set(item.key, controller);
      const { key, title, price } = item;
      const keep = (values: Partial<UploadItem>) => {
        change(key, values);
        Object.assign(item, values);
        const { error, isRefused, uploadUrl, attachmentId, isInstant } = item;
        const sent = { error, isRefused, uploadUrl, attachmentId, isInstant, isSubmitted: true };
        return keepUpload({
          key,
          file,
          title,
          price,
          ...sent,
          userId,
          categoryId: path.at(-1) ?? 0,
        });
      };
      const finish = (values: Partial<UploadItem>) => {
        const done = { ...values, state: 'done', progress: 1 } as const;
        change(key, done);
        rememberFinished(userId, { ...item, ...done });
        return forgetUpload(key);
      };
      try {
        // A reload at any moment from here on finds it again.
        await keep({ state: 'hashing', progress: 0, error: '', isRefused: false });
        if (item.attachmentId === 0) {
          const sent = await sendFile({
            file,
            uploadUrl: item.uploadUrl,
            signal: controller.signal,
            onHashing: (progress) => change(key, { state: 'hashing', progress }),
            onProgress: (bytes) => change(key, { state: 'sending', progress: bytes / file.size }),
            onUrl: (uploadUrl) => void keep({ uploadUrl }),
          });
          await keep({ attachmentId: sent.id, isInstant: sent.isInstant });
        }
        change(key, { state: 'saving', progress: 1 });
        const input = { title, price: Number(price), attachment_id: item.attachmentId };
        const { document } = await call(
          documentApi.create,
          { category_id: path, document: [input] },
          { quiet: true },
        );
        const { id: documentId = 0, same = [] } = document[0] ?? {};
        await finish({ documentId, same });
      } catch (error) {
        if (controller.signal.aborted) change(key, { state: 'paused' });
        // It is the document of an earlier try whose answer never came.
        else if (documentErrors.usedFile.is(error)) await finish({});
        else await fail(error, keep, (values) => change(key, values));
      } finally {
        controllers.current.delete(key);
      }
    },
    [change, userId],
  );

  const path = ancestryOf(map, categoryId).map(({ id }) => id);
  useEffect(() => {
    if (path.length === 0) return;
    const running = items.filter(({ state }) => busy.includes(state)).length;
    const next = items.filter(
      (item) => item.state === 'waiting' && item.isSubmitted && !rowProblem(item),
    );
    for (const item of next.slice(0, Math.max(0, AT_ONCE - running)))
      if (item.file) void send({ ...item }, item.file, path);
  }, [items, path, send]);

  const isBusy = items.some(({ state }) => busy.includes(state));
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);

  // A network that comes back takes up what it broke off.
  useEffect(() => {
    const resume = () =>
      setItems((all) =>
        all.map((item) =>
          item.state === 'failed' && item.isSubmitted && !item.isRefused
            ? { ...item, state: 'waiting' }
            : item,
        ),
      );
    addEventListener('online', resume);
    return () => removeEventListener('online', resume);
  }, []);

  return {
    items,
    categoryId,
    setCategoryId,
    isBusy,
    change,
    add: (files: File[], price: string) =>
      setItems((all) => [...all, ...files.map((file, at) => newItem(file, price, at))]),
    submit: () =>
      setItems((all) =>
        all.map((item) =>
          isToSend(item) ? { ...item, state: 'waiting', isSubmitted: true } : item,
        ),
      ),
    retry: (key: string) => change(key, { state: 'waiting', isSubmitted: true, error: '' }),
    pause(key: string) {
      controllers.current.get(key)?.abort();
      change(key, { state: 'paused' });
    },
    remove(key: string) {
      controllers.current.get(key)?.abort();
      setItems((all) => all.filter((item) => item.key !== key));
      forgetFinished([key]);
      void forgetUpload(key);
    },
    removeDone() {
      forgetFinished(items.filter(({ state }) => state === 'done').map(({ key }) => key));
      setItems((all) => all.filter(({ state }) => state !== 'done'));
    },
  };
}
export type Uploads = ReturnType<typeof useUploads>;

const restored = ({ userId: _, categoryId: __, ...kept }: KeptUpload): UploadItem => ({
  ...newItem(kept.file, ''),
  ...kept,
  price: String(kept.price),
  state: kept.isRefused ? 'failed' : 'waiting',
});

type Change = (values: Partial<UploadItem>) => void;

/** A refusal is kept with its reason; a network that failed is tried again after a reload. */
async function fail(
  error: unknown,
  keep: (values: Partial<UploadItem>) => Promise<void>,
  change: Change,
) {
  const told = { state: 'failed', error: messageOf(error) || '上传失败或超时，请重试' } as const;
  // A file the site refused is not asked about again under its old address.
  if (error instanceof AppError && isRefusal(error.status))
    await keep({ ...told, isRefused: true, uploadUrl: '' });
  else change(told);
}
