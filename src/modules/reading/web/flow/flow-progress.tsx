import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { useReader, useReaderState } from '../reader-store.ts';

/** Current chapter and progress in percent. */
export function FlowProgress() {
  const { layout } = useReader();
  const page = useReaderState(({ page, isAtEnd }) => (isAtEnd ? layout.readable : page));
  const chapter = layout.outline.findLast((entry) => entry.page > 0 && entry.page <= page);
  const title = chapter?.title ?? '';
  const percent = Math.round((page / Math.max(1, layout.pages)) * 100);
  return (
    <div className="reader-flow-progress print:hidden">
      <div
        role="progressbar"
        aria-label="阅读进度"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="absolute top-0 left-0 h-0.5 bg-bean transition-[width]"
        style={{ width: `${percent}%` }}
      />
      <span className={`min-w-0 flex-1 truncate ${latinTextClass(title)}`}>{title}</span>
      <span className="tabular-nums">{percent}%</span>
    </div>
  );
}
