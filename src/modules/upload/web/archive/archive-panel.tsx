import { Archive, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { pathFromRoot } from '#modules/category/web/indexed-categories.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import type { ArchiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { Button, IconButton } from '#platform/web/ui/button.tsx';
import { type ArchiveFolder, archiveProblemTexts, entryName, groupByFolder } from './archive-entries.ts';
import type { ArchiveUpload } from './use-archives.ts';

export type ChosenEntry = { entry: ArchiveEntry; categoryId: number };
type Props = {
  archive: ArchiveUpload;
  onChoose: (entries: ChosenEntry[]) => void;
  onRetry: () => void;
  onDiscard: () => void;
};

/** One archive: its progress, and then its files to choose from. */
export function ArchivePanel({ archive, onChoose, onRetry, onDiscard }: Props) {
  const { name, size, state, progress, error, canRetry } = archive;
  return (
    <section aria-label={`压缩包 ${name}`} className="card p-5 md:p-6">
      <div className="flex items-center gap-3">
        <Archive aria-hidden="true" className="size-5 shrink-0 text-bean" />
        <h2 className="min-w-0 grow truncate font-medium">{name}</h2>
        <span className="shrink-0 text-13 text-ink-2 tabular-nums">{formatSize(size)}</span>
        <IconButton label={`移除 ${name}`} onClick={onDiscard}>
          <Trash2 aria-hidden="true" className="size-4.5" />
        </IconButton>
      </div>
      {state === 'sending' || state === 'unpacking' ? (
        <div className="mt-3 flex items-center gap-3 text-13 text-ink-2">
          <div className="h-1.5 grow overflow-hidden rounded-full bg-sunken">
            <div
              className={`h-full rounded-full bg-bean transition-[width] ${state === 'unpacking' ? 'animate-pulse' : ''}`}
              style={{ width: state === 'unpacking' ? '100%' : `${progress * 100}%` }}
            />
          </div>
          <span role="status" className="shrink-0 tabular-nums">
            {state === 'unpacking' ? '正在解开' : `正在上传 ${Math.round(progress * 100)}%`}
          </span>
        </div>
      ) : null}
      {error ? (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <p role="alert" className="text-13 text-red">
            {error}
          </p>
          {canRetry ? (
            <Button variant="outline" onClick={onRetry}>
              重试
            </Button>
          ) : null}
        </div>
      ) : null}
      {state === 'listed' ? <EntryChooser entries={archive.entries} onChoose={onChoose} /> : null}
    </section>
  );
}

const isDocument = ({ problem }: ArchiveEntry) => problem === null;

/** All documents are chosen at first. */
function EntryChooser({ entries, onChoose }: { entries: ArchiveEntry[]; onChoose: Props['onChoose'] }) {
  const { map } = useCategories();
  const folders = useMemo(() => groupByFolder(entries, map), [entries, map]);
  const documents = entries.filter(isDocument);
  const [chosenIndexes, setChosenIndexes] = useState(() => new Set(documents.map(({ index }) => index)));
  const toggle = (changedEntries: ArchiveEntry[], isChosen: boolean) => {
    const indexes = new Set(chosenIndexes);
    for (const { index } of changedEntries) {
      if (isChosen) indexes.add(index);
      else indexes.delete(index);
    }
    setChosenIndexes(indexes);
  };
  const confirm = () =>
    onChoose(
      folders.flatMap(({ categoryId, entries: members }) =>
        members.filter(({ index }) => chosenIndexes.has(index)).map((entry) => ({ entry, categoryId })),
      ),
    );
  return (
    <>
      <p className="mt-3 text-13 text-ink-2">
        {documents.length === 0
          ? '压缩包里没有可以上传的文档'
          : `共 ${entries.length} 个文件，${documents.length} 个可以上传；与分类同名的文件夹，其中的文档归入该分类`}
      </p>
      <div className="mt-3 max-h-96 overflow-y-auto rounded-md border border-line">
        {folders.map((folder) => (
          <FolderSection key={folder.path} folder={folder} chosenIndexes={chosenIndexes} onToggle={toggle} />
        ))}
      </div>
      <Button className="mt-4" disabled={chosenIndexes.size === 0} onClick={confirm}>
        {`解开并上传（${chosenIndexes.size} 个）`}
      </Button>
    </>
  );
}

type FolderProps = {
  folder: ArchiveFolder;
  chosenIndexes: ReadonlySet<number>;
  onToggle: (entries: ArchiveEntry[], isChosen: boolean) => void;
};

function FolderSection({ folder: { path, categoryId, entries }, chosenIndexes, onToggle }: FolderProps) {
  const { map } = useCategories();
  const documents = entries.filter(isDocument);
  const categoryTitle = pathFromRoot(map, categoryId)
    .map(({ title }) => title)
    .join(' / ');
  return (
    <>
      <label className="sticky top-0 flex min-h-10 items-center gap-3 border-b border-line bg-sunken px-3 text-13">
        <input
          type="checkbox"
          checked={documents.length > 0 && documents.every(({ index }) => chosenIndexes.has(index))}
          disabled={documents.length === 0}
          onChange={({ currentTarget }) => onToggle(documents, currentTarget.checked)}
          className="size-4 shrink-0 accent-bean"
        />
        <span className="min-w-0 truncate font-medium">{path || '不在文件夹里的文件'}</span>
        {categoryTitle ? <span className="shrink-0 text-bean">{`归入“${categoryTitle}”`}</span> : null}
      </label>
      <ul className="divide-y divide-line border-b border-line last:border-b-0">
        {entries.map((entry) => (
          <li key={entry.index}>
            <EntryRow entry={entry} isChosen={chosenIndexes.has(entry.index)} onToggle={onToggle} />
          </li>
        ))}
      </ul>
    </>
  );
}

type RowProps = { entry: ArchiveEntry; isChosen: boolean; onToggle: FolderProps['onToggle'] };

const EntryRow = ({ entry, isChosen, onToggle }: RowProps) => (
  <label className={`flex min-h-10 items-center gap-3 px-3 py-2 text-14 ${entry.problem ? 'text-ink-2' : ''}`}>
    <input
      type="checkbox"
      checked={isChosen}
      disabled={entry.problem !== null}
      onChange={({ currentTarget }) => onToggle([entry], currentTarget.checked)}
      className="size-4 shrink-0 accent-bean"
    />
    <span className="min-w-0 grow break-words">
      {entryName(entry)}
      {entry.problem ? <span className="block text-13 text-amber">{archiveProblemTexts[entry.problem]}</span> : null}
    </span>
    <span className="shrink-0 text-13 text-ink-2 tabular-nums">{formatSize(entry.size)}</span>
  </label>
);
