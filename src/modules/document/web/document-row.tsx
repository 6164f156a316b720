import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, formatSize, relativeTime } from '#platform/contract/format.ts';
import type { Document } from '../document.contract.ts';
import { DocumentState } from './document-state.tsx';
import { TypeTag } from './type-tag.tsx';

/** One document as a line of a list. `children`: what can be done with it; `note`: what is to be said. */
export function DocumentRow({
  row,
  linked = true,
  note,
  children,
}: {
  row: Document;
  linked?: boolean;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="flex items-start gap-3 py-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <TypeTag extension={row.ext} />
          {linked ? (
            <Link
              to={`/document/${row.id}`}
              className="line-clamp-2 min-w-0 font-medium transition-colors hover:text-bean"
            >
              {row.title}
            </Link>
          ) : (
            <span className="line-clamp-2 min-w-0 font-medium">{row.title}</span>
          )}
          <DocumentState row={row} />
        </p>
        <Meta row={row} />
        {note}
      </div>
      {children}
    </li>
  );
}

function Meta({ row }: { row: Document }) {
  const { timezone, credit_name } = useSettings().system;
  const facts = [
    row.pages > 0 ? `${row.pages} 页` : '',
    formatSize(row.size),
    row.view_count > 0 ? `${row.view_count} 次浏览` : '',
  ].filter(Boolean);
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-ink-2">
      <span className={row.price > 0 ? 'text-gold' : ''}>
        {row.price > 0 ? `${row.price} ${credit_name || '豆'}` : '免费'}
      </span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      <time
        dateTime={row.created_at}
        title={formatDateTime(row.created_at, timezone)}
        // The moment the server wrote it is not the one at which the browser reads it.
        suppressHydrationWarning
      >
        {relativeTime(row.created_at)}
      </time>
    </p>
  );
}
