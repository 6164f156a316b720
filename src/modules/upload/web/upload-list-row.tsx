import { Pause, Play, RotateCcw, Trash2 } from 'lucide-react';
import { type ComponentType, type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { pathFromRoot } from '#modules/category/web/indexed-categories.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { TypeTag } from '#modules/document/web/type-tag.tsx';
import { validatePrice } from '#modules/document/web/validate-price.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { IconButton } from '#platform/web/ui/button.tsx';
import { UploadConversionStatus } from './upload-conversion-status.tsx';
import {
  fileNameExtension,
  findRowProblem,
  isPublishing,
  MAX_TITLE_LENGTH,
  rowPercent,
  type UploadItem,
} from './upload-item.ts';
import type { Uploads } from './use-uploads.ts';

const inputClasses =
  'h-10 w-full rounded-md border border-line bg-surface px-3 text-14 transition-colors hover:border-line-strong focus:border-bean disabled:border-transparent disabled:bg-transparent aria-invalid:border-red';

/** Shared by all rows and the header, so that the columns are aligned. */
export const columnClasses =
  'grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_6rem_8rem_5rem] gap-x-4 px-4 md:px-6';

type Props = { item: UploadItem; uploads: Uploads; onRetry: (item: UploadItem) => void };

/** Shows the documents that are nearly the same as a sent file; the near-copy module, which depends on this one, provides it. */
export type NearCopiesOfUpload = ComponentType<{ attachmentId: number; sentUploads: readonly SentUpload[] }>;
/** A file of the list that is on the server and not published. */
export type SentUpload = Pick<UploadItem, 'attachmentId' | 'title'>;

/** One file with its title, price, progress and actions. */
export function UploadListRow({ item, uploads, onRetry, children }: Props & { children?: ReactNode }) {
  const { key, name, size, title, price, state } = item;
  const problemId = useId();
  // A document that is being published keeps the title and price with which it was submitted.
  const isReadOnly = isPublishing(item) || state === 'done';
  const problem = findRowProblem(item);
  const invalidAttributes = (isWrong: boolean) =>
    isWrong && !isReadOnly ? { 'aria-invalid': true, 'aria-describedby': problemId } : {};
  return (
    <li className={`grid items-center gap-y-2 py-3 ${columnClasses}`}>
      <div className="flex min-w-0 items-center gap-3">
        <span className="grid w-13 shrink-0">
          <TypeTag extension={fileNameExtension(name)} />
        </span>
        {state === 'done' ? (
          <Link
            to={item.documentId > 0 ? `/document/${item.documentId}` : '/user'}
            className="min-w-0 truncate px-3 text-15 font-medium hover:text-bean"
          >
            {title}
          </Link>
        ) : (
          <input
            aria-label={`${name} 的标题`}
            value={title}
            maxLength={MAX_TITLE_LENGTH}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => uploads.change(key, { title: currentTarget.value })}
            className={`${inputClasses} min-w-0`}
            {...invalidAttributes(title.trim() === '')}
          />
        )}
      </div>
      <span className="hidden text-right text-13 text-ink-2 tabular-nums md:block">{formatSize(size)}</span>
      <div className="col-start-1 row-start-2 flex items-center gap-2 text-13 text-ink-2 md:col-start-3 md:row-start-1">
        <span aria-hidden="true" className="w-13 shrink-0 md:hidden">
          售价
        </span>
        <input
          aria-label={`${name} 的售价`}
          inputMode="numeric"
          autoComplete="off"
          value={price}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => uploads.change(key, { price: currentTarget.value.trim() })}
          className={`${inputClasses} ml-1 max-w-28 tabular-nums md:ml-0 md:max-w-none`}
          {...invalidAttributes(validatePrice(price) !== '')}
        />
        <span className="shrink-0 md:hidden">{formatSize(size)}</span>
      </div>
      <div className="flex justify-end">
        <RowActions item={item} uploads={uploads} onRetry={onRetry} />
      </div>
      {item.categoryId > 0 && !isReadOnly ? (
        <RowCategory categoryId={item.categoryId} onClear={() => uploads.change(key, { categoryId: 0 })} />
      ) : null}
      <RowStatus item={item} problem={isReadOnly ? '' : problem} id={problemId} />
      {children}
    </li>
  );
}

/** The category that the folder of an archive suggests. */
function RowCategory({ categoryId, onClear }: { categoryId: number; onClear: () => void }) {
  const { map } = useCategories();
  const path = pathFromRoot(map, categoryId).map(({ title }) => title);
  return (
    <p className="col-span-full flex flex-wrap items-center gap-x-3 text-13 text-ink-2">
      {`分类：${path.join(' / ')}`}
      <button type="button" onClick={onClear} className="text-bean hover:underline">
        改用上方的分类
      </button>
    </p>
  );
}

function RowActions({ item, uploads, onRetry }: Props) {
  const { key, title, state } = item;
  return (
    <>
      {state === 'hashing' || state === 'sending' ? (
        <IconButton label={`暂停 ${title}`} onClick={() => uploads.pause(key)}>
          <Pause aria-hidden="true" className="size-4.5" />
        </IconButton>
      ) : null}
      {state === 'paused' ? (
        <IconButton label={`继续 ${title}`} onClick={() => onRetry(item)}>
          <Play aria-hidden="true" className="size-4.5" />
        </IconButton>
      ) : null}
      {state === 'failed' ? (
        <IconButton label={`重试 ${title}`} onClick={() => onRetry(item)}>
          <RotateCcw aria-hidden="true" className="size-4.5" />
        </IconButton>
      ) : null}
      {state === 'saving' ? null : (
        <IconButton label={`移除 ${title}`} onClick={() => uploads.remove(key)}>
          <Trash2 aria-hidden="true" className="size-4.5" />
        </IconButton>
      )}
    </>
  );
}

/** Shows the progress or the problem of an upload; nothing if there is neither. */
function RowStatus({ item, problem, id }: { item: UploadItem; problem: string; id: string }) {
  const { state, error } = item;
  return (
    <div className="col-span-full text-13">
      {state === 'done' ? (
        <>
          <UploadConversionStatus id={item.documentId} isInstant={item.isInstant} />
          <SameDocuments documents={item.same} />
        </>
      ) : null}
      {state === 'done' || state === 'failed' ? null : <UploadProgress item={item} />}
      {error ? (
        <p role="alert" className="text-red">
          {error}
        </p>
      ) : null}
      {problem ? (
        <p id={id} role="alert" className="text-red">
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** Links to documents with the same file. */
function SameDocuments({ documents }: { documents: UploadItem['same'] }) {
  if (documents.length === 0) return null;
  return (
    <p className="text-amber">
      与
      {documents.map(({ id, title }) => (
        <Link key={id} to={`/document/${id}`} className="underline">{`《${title}》`}</Link>
      ))}
      内容相同
    </p>
  );
}

const stateLabels: Record<UploadItem['state'], string> = {
  waiting: '等待上传',
  hashing: '正在校验',
  sending: '正在上传',
  sent: '待发布',
  saving: '正在保存',
  paused: '已暂停',
  failed: '',
  done: '',
};

function UploadProgress({ item }: { item: UploadItem }) {
  const { state } = item;
  const percent = rowPercent(item);
  return (
    <div className="flex items-center gap-3 text-ink-2">
      <div className="h-1.5 grow overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full transition-[width] ${state === 'hashing' ? 'bg-line-strong' : 'bg-bean'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
      <span className="w-32 shrink-0 text-right tabular-nums">
        {stateLabels[state]}
        {state === 'hashing' || state === 'sending' ? ` ${percent}%` : ''}
      </span>
    </div>
  );
}
