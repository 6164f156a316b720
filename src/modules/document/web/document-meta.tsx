import { Star } from 'lucide-react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import type { Document } from '../document.contract.ts';
import { Price } from './price.tsx';

export function DocumentMeta({ row }: { row: Document }) {
  const { timezone } = useSettings().system;
  const items = [
    row.pages > 0 ? `${row.pages} 页` : '',
    formatSize(row.size),
    row.view_count > 0 ? `${row.view_count} 次浏览` : '',
  ].filter(Boolean);
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-13 text-ink-2">
      <Price price={row.price} />
      {items.map((item) => (
        <span key={item}>{item}</span>
      ))}
      <time
        dateTime={row.created_at}
        title={formatDateTime(row.created_at, timezone)}
        // The relative time differs between server rendering and hydration.
        suppressHydrationWarning
      >
        {relativeTime(row.created_at)}
      </time>
      {row.score_count > 0 ? (
        <span className="inline-flex items-center gap-1">
          <Star aria-hidden="true" className="size-3.5 fill-current text-amber" />
          {`${(row.score / 100).toFixed(1)} 分`}
        </span>
      ) : null}
    </p>
  );
}
