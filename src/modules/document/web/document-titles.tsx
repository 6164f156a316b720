import { Link } from 'react-router';
import type { CardDocument } from './document-card.tsx';
import { Price } from './price.tsx';
import { TypeTag } from './type-tag.tsx';

/** Title list, for sites that prefer lists to covers. */
export function DocumentTitles({
  label,
  documents,
  columns = 'md:grid-cols-2',
}: {
  label: string;
  documents: CardDocument[];
  columns?: string;
}) {
  return (
    <ul aria-label={label} className={`card grid grid-cols-1 gap-x-8 px-5 py-3 ${columns}`}>
      {documents.map(({ id, title, ext, pages, price }) => (
        <li key={id} className="flex min-h-11 min-w-0 items-center gap-2.5 text-14">
          <TypeTag extension={ext} />
          <Link to={`/document/${id}`} className="min-w-0 flex-1 truncate rounded-sm transition-colors hover:text-bean">
            {title}
          </Link>
          {pages > 0 ? <span className="shrink-0 text-13 text-ink-2 tabular-nums">{pages} 页</span> : null}
          <Price price={price} />
        </li>
      ))}
    </ul>
  );
}
