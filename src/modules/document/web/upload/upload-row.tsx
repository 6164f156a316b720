import { Pause, Play, RotateCcw, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { formatSize } from '#platform/contract/format.ts';
import { IconButton } from '#platform/web/ui/button.tsx';
import { MAX_PRICE } from '../../document.contract.ts';
import { TypeTag } from '../type-tag.tsx';
import { ConversionState } from './conversion-state.tsx';
import { extensionOf, MAX_TITLE, type UploadItem } from './upload-list.ts';
import type { Uploads } from './use-uploads.ts';

const box =
  'h-10 w-full rounded-md border border-line bg-surface px-3 text-14 transition-colors hover:border-line-strong focus:border-bean disabled:border-transparent disabled:bg-transparent disabled:px-0';

/** One file: its title and price, how far it is, and what can be done about it. */
export function UploadRow({ item, uploads }: { item: UploadItem; uploads: Uploads }) {
  const { key, file, title, price, state, error } = item;
  const isFixed = state === 'saving' || state === 'done';
  const isRunning = state === 'hashing' || state === 'sending';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-4 md:grid-cols-[minmax(0,1fr)_7rem_8rem_auto] md:px-6">
      <div className="flex min-w-0 items-center gap-3">
        <TypeTag extension={extensionOf(file.name)} />
        {state === 'done' ? (
          <Link
            to={item.documentId > 0 ? `/document/${item.documentId}` : '/user'}
            className="min-w-0 truncate text-15 font-medium hover:text-bean"
          >
            {title}
          </Link>
        ) : (
          <input
            aria-label={`${file.name} 的标题`}
            value={title}
            maxLength={MAX_TITLE}
            disabled={isFixed}
            onChange={({ currentTarget }) => uploads.change(key, { title: currentTarget.value })}
            className={`${box} min-w-0`}
          />
        )}
      </div>
      <span className="hidden text-right text-13 text-ink-2 tabular-nums md:block">
        {formatSize(file.size)}
      </span>
      <label className="col-start-1 row-start-2 flex items-center gap-2 text-13 text-ink-2 md:col-start-3 md:row-start-1">
        <span className="shrink-0 md:sr-only">售价</span>
        <input
          type="number"
          min={0}
          max={MAX_PRICE}
          step={1}
          value={price}
          disabled={isFixed}
          onChange={({ currentTarget }) =>
            uploads.change(key, { price: clampPrice(currentTarget.valueAsNumber) })
          }
          className={`${box} max-w-28 tabular-nums`}
        />
        <span className="md:hidden">{formatSize(file.size)}</span>
      </label>
      <div className="flex justify-end">
        {isRunning ? (
          <IconButton label={`暂停 ${title}`} onClick={() => uploads.pause(key)}>
            <Pause aria-hidden="true" className="size-4.5" />
          </IconButton>
        ) : null}
        {state === 'paused' ? (
          <IconButton label={`继续 ${title}`} onClick={() => uploads.retry(key)}>
            <Play aria-hidden="true" className="size-4.5" />
          </IconButton>
        ) : null}
        {state === 'failed' ? (
          <IconButton label={`重试 ${title}`} onClick={() => uploads.retry(key)}>
            <RotateCcw aria-hidden="true" className="size-4.5" />
          </IconButton>
        ) : null}
        {state === 'saving' ? null : (
          <IconButton label={`移除 ${title}`} onClick={() => uploads.remove(key)}>
            <Trash2 aria-hidden="true" className="size-4.5" />
          </IconButton>
        )}
      </div>
      <div className="col-span-full min-h-5 text-13">
        {state === 'done' ? (
          <>
            <ConversionState id={item.documentId} isInstant={item.isInstant} />
            <Same documents={item.same} />
          </>
        ) : (
          <Progress item={item} />
        )}
        {error ? (
          <p role="alert" className="text-red">
            {error}
          </p>
        ) : null}
      </div>
    </li>
  );
}

/** The site has this file already, under these titles. */
function Same({ documents }: { documents: UploadItem['same'] }) {
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

const clampPrice = (price: number) => Math.max(0, Math.min(MAX_PRICE, Math.round(price) || 0));

const words: Record<UploadItem['state'], string> = {
  waiting: '等待上传',
  hashing: '正在校验',
  sending: '正在上传',
  saving: '正在保存',
  paused: '已暂停',
  failed: '',
  done: '',
};

function Progress({ item: { state, progress, isSubmitted } }: { item: UploadItem }) {
  const percent = Math.round(progress * 100);
  if (state === 'failed') return null;
  if (state === 'waiting' && !isSubmitted) return null;
  return (
    <div className="flex items-center gap-3 text-ink-2">
      <div className="h-1.5 grow overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full transition-[width] ${state === 'hashing' ? 'bg-line-strong' : 'bg-bean'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
      <span className="w-32 shrink-0 text-right tabular-nums">
        {words[state]}
        {state === 'hashing' || state === 'sending' ? ` ${percent}%` : ''}
      </span>
    </div>
  );
}
