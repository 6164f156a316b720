import type { Ref } from 'react';
import { totalPercent, type UploadItem } from './upload-item.ts';
import { columnClasses, type NearCopiesOfUpload, UploadListRow } from './upload-list-row.tsx';
import type { Uploads } from './use-uploads.ts';

type Props = {
  uploads: Uploads;
  creditName: string;
  NearCopies: NearCopiesOfUpload;
  onRetry: (item: UploadItem) => void;
  ref: Ref<HTMLElement>;
};

/** All files of the list, with a header on wide windows. */
export function UploadTable({ uploads, creditName, NearCopies, onRetry, ref }: Props) {
  const sentUploads = uploads.items.filter(({ state }) => state === 'sent');
  if (uploads.items.length === 0) return null;
  return (
    <section aria-label="上传列表" className="card" ref={ref}>
      {/* Each field has its own label for screen readers. */}
      <div
        aria-hidden="true"
        className={`hidden items-center border-b border-line py-2.5 text-13 text-ink-2 md:grid ${columnClasses}`}
      >
        <span>文件</span>
        <span className="text-right">大小</span>
        <span className="pl-3">{`售价（${creditName}）`}</span>
        <span className="pr-1.5 text-right">操作</span>
      </div>
      <ul className="divide-y divide-line">
        {uploads.items.map((item) => (
          <UploadListRow key={item.key} item={item} uploads={uploads} onRetry={onRetry}>
            {item.state === 'sent' ? <NearCopies attachmentId={item.attachmentId} sentUploads={sentUploads} /> : null}
          </UploadListRow>
        ))}
      </ul>
    </section>
  );
}

/** Progress of all uploads; failed files count neither as done nor as sent. */
export function TotalProgress({ items }: { items: readonly UploadItem[] }) {
  const percent = totalPercent(items);
  const countInState = (wantedState: UploadItem['state']) => items.filter(({ state }) => state === wantedState).length;
  const failedCount = countInState('failed');
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13 text-ink-2">
      <div
        role="progressbar"
        aria-label="总进度"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 min-w-32 grow overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-bean transition-[width]" style={{ width: `${percent}%` }} />
      </div>
      <p className="shrink-0 tabular-nums">
        {`已完成 ${countInState('done')} / ${items.length}，共 ${percent}%`}
        {failedCount > 0 ? <span className="text-red">{`，${failedCount} 个失败`}</span> : null}
      </p>
    </div>
  );
}
