import type { Document } from '../document.contract.ts';
import { type Carded, DocumentCard } from './document-card.tsx';
import { DocumentRow } from './document-row.tsx';

/** Rows tell more, covers show more. */
export type Density = 'row' | 'cover';

const rows = 'divide-y divide-line';
const FIRST = 4;

/** Documents in the one way the site lists them, in either density. */
export function DocumentList({
  label,
  ...list
}: {
  label: string;
} & ({ density: 'row'; documents: Document[] } | { density: 'cover'; documents: Carded[] }) & {
    /** Of the grid of covers, where it is not the usual one. */
    columns?: string;
  }) {
  if (list.density === 'row')
    return (
      <ul aria-label={label} className={rows}>
        {list.documents.map((row, at) => (
          <DocumentRow key={row.id} row={row} isFirst={at < FIRST} />
        ))}
      </ul>
    );
  return (
    <ul aria-label={label} className={gridOf(list.columns)}>
      {list.documents.map((row, at) => (
        <DocumentCard key={row.id} row={row} isFirst={at < FIRST} />
      ))}
    </ul>
  );
}

const gridOf = (columns = 'grid-cols-2 md:grid-cols-4 lg:grid-cols-5') =>
  `grid gap-x-4 gap-y-6 md:gap-x-6 md:gap-y-8 ${columns}`;

const bar = 'rounded-sm bg-sunken';

/** The shape of what comes. */
export function DocumentListSkeleton({
  density,
  count = 10,
  columns,
}: {
  density: Density;
  count?: number;
  columns?: string;
}) {
  const places = Array.from({ length: count }, (_, at) => at);
  return (
    <div role="status" aria-label="正在加载" className="animate-pulse">
      {density === 'row' ? (
        <div className={rows}>
          {places.map((at) => (
            <div key={at} className="flex gap-4 py-4 md:gap-5">
              <div className={`aspect-[210/297] w-16 shrink-0 md:w-20 ${bar}`} />
              <div className="flex-1 space-y-3 pt-1">
                <div className={`h-4 w-2/3 ${bar}`} />
                <div className={`h-3 w-1/3 ${bar}`} />
                <div className={`h-3 w-5/6 ${bar} max-md:hidden`} />
              </div>
            </div>
          ))}
        </div>
      ) : (
        <div className={gridOf(columns)}>
          {places.map((at) => (
            <div key={at}>
              <div className={`aspect-[210/297] ${bar}`} />
              <div className={`mt-3 h-4 w-5/6 ${bar}`} />
              <div className={`mt-2 h-3 w-1/3 ${bar}`} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
