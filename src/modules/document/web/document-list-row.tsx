import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { Document } from '../document.contract.ts';
import { Cover } from './cover.tsx';
import { DocumentMeta } from './document-meta.tsx';
import { DocumentStatusTag } from './document-status-tag.tsx';
import { TwinsNote } from './twins-note.tsx';
import { TypeTag } from './type-tag.tsx';

/** `children`: action buttons; `note`: replaces the description. */
export function DocumentListRow({
  row,
  linked = true,
  isFirst = false,
  note,
  children,
}: {
  row: Document;
  linked?: boolean;
  isFirst?: boolean;
  note?: ReactNode;
  children?: ReactNode;
}) {
  const { show_document_descriptions } = useSettings().display;
  const cover = <Cover document={row} isFirst={isFirst} />;
  const titleStyle = `line-clamp-2 min-w-0 font-medium ${latinTextClass(row.title)}`;
  const coverClass = 'w-16 shrink-0 md:w-20';
  return (
    <li className="group flex items-start gap-4 py-4 md:gap-5">
      {linked ? (
        // The title is the same link, so this one is left out of the tab order.
        <Link to={`/document/${row.id}`} tabIndex={-1} aria-hidden="true" className={coverClass}>
          {cover}
        </Link>
      ) : (
        <div className={coverClass}>{cover}</div>
      )}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <TypeTag extension={row.ext} />
          {linked ? (
            <Link to={`/document/${row.id}`} className={`${titleStyle} rounded-sm transition-colors hover:text-bean`}>
              {row.title}
            </Link>
          ) : (
            <span className={titleStyle}>{row.title}</span>
          )}
          {row.recommend_at ? <RecommendedTag /> : null}
          <DocumentStatusTag row={row} />
        </p>
        <DocumentMeta row={row} />
        {note ?? (
          <p
            className={`mt-1.5 line-clamp-2 text-13 text-ink-2 empty:hidden max-md:line-clamp-1 ${latinTextClass(row.description)}`}
          >
            {show_document_descriptions ? row.description : null}
          </p>
        )}
        <TwinsNote twins={row.twins} />
      </div>
      {children}
    </li>
  );
}

function RecommendedTag() {
  return (
    <span className="inline-flex h-6 shrink-0 items-center rounded-sm bg-bean-soft px-2 text-12 text-bean">推荐</span>
  );
}
