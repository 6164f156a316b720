import type { Document } from '../document.contract.ts';
import { type CardDocument, DocumentCard } from './document-card.tsx';
import { DocumentListRow } from './document-list-row.tsx';

export type Density = 'row' | 'cover';

const rowsClass = 'divide-y divide-line';
const EAGER_COVERS = 4;

export function DocumentList({
  label,
  ...list
}: {
  label: string;
} & ({ density: 'row'; documents: Document[] } | { density: 'cover'; documents: CardDocument[] }) & {
    /** Grid classes of the cover view, if not the default. */
    columns?: string;
  }) {
  if (list.density === 'row')
    return (
      <ul aria-label={label} className={rowsClass}>
        {list.documents.map((row, at) => (
          <DocumentListRow key={row.id} row={row} isFirst={at < EAGER_COVERS} />
        ))}
      </ul>
    );
  return (
    <ul aria-label={label} className={gridClass(list.columns)}>
      {list.documents.map((row, at) => (
        <DocumentCard key={row.id} row={row} isFirst={at < EAGER_COVERS} />
      ))}
    </ul>
  );
}

const gridClass = (columns = 'grid-cols-2 md:grid-cols-4 lg:grid-cols-5') =>
  `grid gap-x-4 gap-y-6 md:gap-x-6 md:gap-y-8 ${columns}`;

const barClass = 'rounded-sm bg-sunken';

export function DocumentListSkeleton({
  density,
  count = 10,
  columns,
}: {
  density: Density;
  count?: number;
  columns?: string;
}) {
  const indexes = Array.from({ length: count }, (_, at) => at);
  return (
    <div role="status" aria-label="正在加载" className="animate-pulse">
      {density === 'row' ? (
        <div className={rowsClass}>
          {indexes.map((at) => (
            <div key={at} className="flex gap-4 py-4 md:gap-5">
              <div className={`aspect-[210/297] w-16 shrink-0 md:w-20 ${barClass}`} />
              <div className="flex-1 space-y-3 pt-1">
                <div className={`h-4 w-2/3 ${barClass}`} />
                <div className={`h-3 w-1/3 ${barClass}`} />
                <div className={`h-3 w-5/6 ${barClass} max-md:hidden`} />
              </div>
            </div>
          ))}
        </div>
      ) : (
        <div className={gridClass(columns)}>
          {indexes.map((at) => (
            <div key={at}>
              <div className={`aspect-[210/297] ${barClass}`} />
              <div className={`mt-3 h-4 w-5/6 ${barClass}`} />
              <div className={`mt-2 h-3 w-1/3 ${barClass}`} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
