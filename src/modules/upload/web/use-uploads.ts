import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { isPublishing, newUploadItem, type UploadItem } from './upload-item.ts';
import { UploadRunner } from './upload-runner.ts';

/** List of uploads of this page. It sends two at a time; they continue after a reload. */
export function useUploads(userId: number) {
  const [runner] = useState(() => new UploadRunner());
  const { items, categoryId } = useStore(runner.store);
  const { map } = useCategories();
  const isPublishingItems = items.some(isPublishing);

  useEffect(() => (userId === 0 ? undefined : runner.connect(userId)), [runner, userId]);
  useEffect(() => runner.setCategories(map), [runner, map]);
  useEffect(() => {
    if (!isPublishingItems) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isPublishingItems]);

  return {
    items,
    categoryId,
    isPublishing: isPublishingItems,
    setCategoryId: (id: number) => runner.selectCategory(id),
    add: (files: File[], price: string) => runner.add(files.map((file, index) => newUploadItem(file, price, index))),
    addItems: (newItems: UploadItem[]) => runner.add(newItems),
    change: (key: string, values: Partial<Pick<UploadItem, 'title' | 'price' | 'categoryId'>>) =>
      runner.edit(key, values),
    submit: () => runner.submit(),
    resume: (key: string) => runner.dispatch({ type: 'resumed', key }),
    pause: (key: string) => runner.pause(key),
    remove: (key: string) => runner.remove(key),
    removeDone: () => runner.removeFinished(),
  };
}
export type Uploads = ReturnType<typeof useUploads>;
