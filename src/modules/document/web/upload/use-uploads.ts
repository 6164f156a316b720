import { useCallback, useEffect, useRef, useState } from 'react';
import { ancestryOf } from '#modules/category/web/category-tree.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { call } from '#platform/web/api.ts';
import { messageOf } from '#platform/web/use-form.ts';
import { documentApi, documentErrors } from '../../document.contract.ts';
import { forgetUpload, keepUpload, keptUploads } from './kept-uploads.ts';
import { sendFile } from './send-file.ts';
import { newItem, type UploadItem } from './upload-list.ts';

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

  // What an earlier visit left unfinished is there again.
  useEffect(() => {
    if (userId === 0) return;
    void keptUploads(userId).then((kept) => {
      if (kept.length === 0) return;
      setCategoryId(
        (chosen) => chosen || kept.find(({ categoryId }) => categoryId > 0)?.categoryId || 0,
      );
      setItems((all) => [
        ...all,
        ...kept
          .filter(({ key }) => !all.some((item) => item.key === key))
          .map(
            ({ userId: _, categoryId: __, ...rest }): UploadItem => ({
              ...newItem(rest.file, rest.price),
              ...rest,
            }),
          ),
      ]);
    });
  }, [userId]);

  const send = useCallback(
    async (item: UploadItem, path: number[]) => {
      const controller = new AbortController();
      controllers.current.set(item.key, controller);
      const { key, file, title, price } = item;
      const wasSent = item.attachmentId > 0;
      const keep = (values: Partial<UploadItem>) => {
        change(key, values);
        const kept = { ...item, ...values };
        const { uploadUrl, attachmentId } = kept;
        const fields = { key, file, title, price, uploadUrl, attachmentId, isSubmitted: true };
        Object.assign(item, values);
        return keepUpload({ ...fields, userId, categoryId: path.at(-1) ?? 0 });
      };
      try {
        // A reload at any moment from here on finds it again.
        await keep({ state: 'hashing', progress: 0, error: '' });
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
        const input = { title, price, attachment_id: item.attachmentId };
        const { document } = await call(
          documentApi.create,
          { category_id: path, document: [input] },
          { quiet: true },
        );
        const { id: documentId = 0, same = [] } = document[0] ?? {};
        change(key, { state: 'done', progress: 1, documentId, same });
        await forgetUpload(key);
      } catch (error) {
        if (controller.signal.aborted) change(key, { state: 'paused' });
        // An earlier try was answered, but the answer never came.
        else if (wasSent && documentErrors.usedFile.is(error)) {
          change(key, { state: 'done', progress: 1 });
          await forgetUpload(key);
        }
        // A file the site refused is not asked about again under its old address.
        else
          change(key, {
            state: 'failed',
            error: messageOf(error) || '上传失败或超时，请重试',
            uploadUrl: '',
          });
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
    const next = items.filter(({ state, isSubmitted }) => state === 'waiting' && isSubmitted);
    for (const item of next.slice(0, Math.max(0, AT_ONCE - running))) void send({ ...item }, path);
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
          item.state === 'failed' && item.isSubmitted ? { ...item, state: 'waiting' } : item,
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
    add: (files: File[], price: number) =>
      setItems((all) => [...all, ...files.map((file) => newItem(file, price))]),
    submit: () =>
      setItems((all) =>
        all.map((item) =>
          ['waiting', 'paused', 'failed'].includes(item.state)
            ? { ...item, state: 'waiting', isSubmitted: true }
            : item,
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
      void forgetUpload(key);
    },
  };
}
export type Uploads = ReturnType<typeof useUploads>;
