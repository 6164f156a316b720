import { ArrowDown, ArrowUp, GripVertical, Images, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { compareNaturally } from '#platform/contract/compare-naturally.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { fileTypeOfExtension } from '#platform/contract/file-type.ts';
import { Button, IconButton } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { packImages } from './pack-images.ts';
import { MAX_TITLE_LENGTH, type UploadItem } from './upload-item.ts';

type Image = UploadItem & { file: File };

/** The images of the list that are not submitted yet; those that are sent already are deleted after the merge. */
export const listMergeableImages = (items: readonly UploadItem[]): Image[] =>
  items.filter(
    (item): item is Image =>
      !item.isSubmitted &&
      !item.isRefused &&
      item.file !== null &&
      // The browser does not have the bytes of a document in an archive.
      item.archive === null &&
      fileTypeOfExtension(item.name) === 'image',
  );

type Props = {
  images: Image[];
  maxMegabytes: number;
  /** Replaces the images by the file. */
  onMerge: (file: File, keys: string[]) => void;
};

/** Offers to upload several images as the pages of one document. */
export function MergeImages({ images, maxMegabytes, onMerge }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (images.length < 2) return null;
  if (isOpen)
    return (
      <MergeForm
        images={images}
        maxMegabytes={maxMegabytes}
        onCancel={() => setOpen(false)}
        onMerge={(file, keys) => {
          setOpen(false);
          onMerge(file, keys);
        }}
      />
    );
  return (
    <div className="card flex flex-wrap items-center gap-x-4 gap-y-3 p-4 md:px-6">
      <Images aria-hidden="true" className="size-5 shrink-0 text-bean" />
      <p className="min-w-48 grow text-14 text-ink-2">{`列表中有 ${images.length} 张图片，将各成一份文档`}</p>
      <Button variant="outline" onClick={() => setOpen(true)}>
        合并为一个文档
      </Button>
    </div>
  );
}

const MB = 1024 * 1024;

function MergeForm({ images, maxMegabytes, onMerge, onCancel }: Props & { onCancel: () => void }) {
  const [order, setOrder] = useState(() =>
    images.toSorted((a, b) => compareNaturally(a.name, b.name)).map(({ key }) => key),
  );
  const [title, setTitle] = useState(images[0]?.title ?? '');
  const [isPacking, setPacking] = useState(false);
  const [problem, setProblem] = useState('');
  const [excludedKeys, setExcludedKeys] = useState<string[]>([]);
  const imagesByKey = new Map(images.map((image) => [image.key, image]));
  const pages = [
    ...order.flatMap((key) => imagesByKey.get(key) ?? []),
    ...images.filter(({ key }) => !order.includes(key)),
  ].filter(({ key }) => !excludedKeys.includes(key));
  const totalBytes = pages.reduce((sum, { size }) => sum + size, 0);
  const isTooLarge = totalBytes > maxMegabytes * MB;

  const move = (from: number, to: number) => {
    const keys = pages.map(({ key }) => key);
    const [key] = keys.splice(from, 1);
    if (key === undefined) return;
    keys.splice(to, 0, key);
    setOrder(keys);
  };
  const merge = async () => {
    setPacking(true);
    try {
      const file = await packImages(
        pages.map((page) => page.file),
        `${title.trim()}.cbz`,
      );
      onMerge(
        file,
        pages.map(({ key }) => key),
      );
    } catch {
      setProblem('有图片无法读取，可能已被移动或删除');
      setPacking(false);
    }
  };
  return (
    <section aria-label="合并图片" className="card grid gap-4 p-4 md:p-6">
      <Field
        label="合并后的标题"
        value={title}
        maxLength={MAX_TITLE_LENGTH}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        error={title.trim() === '' ? '请输入标题' : ''}
        hint={`${pages.length} 张图片按下面的顺序合并，共 ${formatSize(totalBytes)}；移出的仍各成一份文档`}
      />
      <PageList pages={pages} onMove={move} onExclude={(key) => setExcludedKeys([...excludedKeys, key])} />
      <p role="alert" className="text-13 text-red empty:hidden">
        {isTooLarge ? `合并后超过最大允许的 ${maxMegabytes} MB，请分成几份` : problem}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={merge} pending={isPacking} disabled={title.trim() === '' || isTooLarge || pages.length < 2}>
          合并
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          取消
        </Button>
      </div>
    </section>
  );
}

type PageListProps = {
  pages: Image[];
  onMove: (from: number, to: number) => void;
  onExclude: (key: string) => void;
};

/** The pages in their order, which is changed with the mouse or with buttons. */
function PageList({ pages, onMove, onExclude }: PageListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [draggedIndex, setDraggedIndex] = useState<number | null>(null);
  /** A row that moves in the page loses the focus. */
  const moveWithFocus = (from: number, to: number, button: HTMLElement) => {
    onMove(from, to);
    requestAnimationFrame(() => {
      if (button.isConnected && !button.hasAttribute('disabled')) button.focus();
      else list.current?.children[to]?.querySelector<HTMLElement>('button:enabled')?.focus();
    });
  };
  return (
    <ol
      ref={list}
      aria-label="页序"
      className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line"
    >
      {pages.map(({ key, name }, index) => (
        <li
          key={key}
          draggable
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            setDraggedIndex(index);
          }}
          onDragEnd={() => setDraggedIndex(null)}
          onDragOver={(event) => {
            if (draggedIndex !== null) event.preventDefault();
          }}
          onDrop={(event) => {
            if (draggedIndex === null) return;
            event.preventDefault();
            onMove(draggedIndex, index);
            setDraggedIndex(null);
          }}
          className={`flex items-center gap-2 bg-surface py-1 pr-1 pl-3 ${draggedIndex === index ? 'opacity-50' : ''}`}
        >
          <GripVertical aria-hidden="true" className="size-4 shrink-0 cursor-grab text-ink-2 max-md:hidden" />
          <span className="w-8 shrink-0 text-right text-13 text-ink-2 tabular-nums">{index + 1}</span>
          <span className="min-w-0 grow truncate px-2 text-14">{name}</span>
          {([-1, 1] as const).map((step) => (
            <IconButton
              key={step}
              label={`${step < 0 ? '上移' : '下移'} ${name}`}
              disabled={pages[index + step] === undefined}
              className="disabled:opacity-40"
              onClick={({ currentTarget }) => moveWithFocus(index, index + step, currentTarget)}
            >
              {step < 0 ? (
                <ArrowUp aria-hidden="true" className="size-4.5" />
              ) : (
                <ArrowDown aria-hidden="true" className="size-4.5" />
              )}
            </IconButton>
          ))}
          <IconButton
            label={`移出 ${name}`}
            disabled={pages.length <= 2}
            className="disabled:opacity-40"
            onClick={() => onExclude(key)}
          >
            <X aria-hidden="true" className="size-4.5" />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
