import { Link } from 'react-router';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { Document } from '../document.contract.ts';
import { Cover, type CoverDocument } from './cover.tsx';
import { Price } from './price.tsx';
import { TwinsNote } from './twins-note.tsx';

export type CardDocument = CoverDocument & Pick<Document, 'id' | 'pages' | 'price' | 'twins'>;

export function DocumentCard({ row, isFirst = false }: { row: CardDocument; isFirst?: boolean }) {
  return (
    <li>
      <Link to={`/document/${row.id}`} className="group block rounded-sm" title={row.title}>
        <Cover document={row} isFirst={isFirst} />
        <span
          className={`mt-2.5 line-clamp-2 text-14 leading-[1.5] transition-colors group-hover:text-bean ${latinTextClass(row.title)}`}
        >
          {row.title}
        </span>
        <span className="mt-0.5 flex gap-2 text-12 text-ink-2">
          <Price price={row.price} />
          {row.pages > 0 ? <span>{row.pages} 页</span> : null}
        </span>
      </Link>
      <TwinsNote twins={row.twins} />
    </li>
  );
}
