import { Link } from 'react-router';
import { usePageBatchSize } from './page-batch-size.ts';
import type { ReaderLayout, Reading } from './reader-store.ts';

/** Links to the previous and next pages for readers without scripts. */
export function NoScriptPageLinks({ id, layout, first }: { id: number; layout: ReaderLayout; first: Reading }) {
  const from = first.page[0]?.page ?? 1;
  const size = usePageBatchSize();
  const next = from + size;
  const before = Math.max(1, from - size);
  const linkClass = 'inline-flex min-h-10 items-center rounded-md px-4 text-bean';
  return (
    <nav aria-label="页面分段" className="reader-parts flex justify-center gap-4 pb-6 text-14">
      {from > 1 ? (
        <Link to={`/document/${id}${before > 1 ? `?page=${before}` : ''}`} className={linkClass}>
          上 {size} 页
        </Link>
      ) : null}
      {next <= layout.readable ? (
        <Link to={`/document/${id}?page=${next}`} className={linkClass}>
          从第 {next} 页继续
        </Link>
      ) : null}
    </nav>
  );
}
