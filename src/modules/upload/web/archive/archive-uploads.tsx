import { newArchiveItem, type UploadItem } from '../upload-item.ts';
import { entryName } from './archive-entries.ts';
import { ArchivePanel, type ChosenEntry } from './archive-panel.tsx';
import { type ArchiveUpload, hasItems, type useArchives } from './use-archives.ts';

type Props = {
  archives: ReturnType<typeof useArchives>;
  items: readonly UploadItem[];
  price: string;
  onItems: (items: UploadItem[]) => void;
};

/** The archives from which nothing was chosen yet. */
export function ArchiveUploads({ archives, items, price, onItems }: Props) {
  const choose = ({ key, uploadId }: ArchiveUpload, entries: ChosenEntry[]) => {
    const newItems = entries.map(({ entry, categoryId }, index) => {
      const archive = { uploadId, index: entry.index, size: entry.size };
      return newArchiveItem({ name: entryName(entry), archive, categoryId }, price, index);
    });
    onItems(newItems);
    archives.close(key);
  };
  return archives.archives
    .filter((archive) => !hasItems(archive, items))
    .map((archive) => (
      <ArchivePanel
        key={archive.key}
        archive={archive}
        onChoose={(entries) => choose(archive, entries)}
        onRetry={() => archives.retry(archive)}
        onDiscard={() => archives.discard(archive)}
      />
    ));
}
