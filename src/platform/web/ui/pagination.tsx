import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

type Gap = 'before' | 'after';

/** First page, neighbours of the current page and last page, with the gaps between them. */
export function paginationItems(page: number, last: number): (number | Gap)[] {
  const candidates = [1, page - 1, page, page + 1, last].filter((at) => at >= 1 && at <= last);
  const pages = [...new Set(candidates)].sort((a, b) => a - b);
  return pages.flatMap((at, index) => {
    const before = pages[index - 1];
    if (before === undefined || at - before === 1) return [at];
    return at - before === 2 ? [at - 1, at] : [at < page ? 'before' : 'after', at];
  });
}

const box = 'grid h-10 min-w-10 place-items-center rounded-md px-2 text-14';

function PreviousOrNextLink({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (to === null) return <span className={`${box} text-line-strong`}>{children}</span>;
  return (
    <Link to={to} aria-label={label} className={`${box} hover:bg-bean-soft hover:text-bean`}>
      {children}
    </Link>
  );
}

export function Pagination({
  page,
  total,
  size,
  hrefOf,
}: {
  page: number;
  total: number;
  size: number;
  hrefOf: (page: number) => string;
}) {
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1) return null;
  return (
    <nav aria-label="分页" className="flex flex-wrap items-center justify-center gap-1">
      <PreviousOrNextLink to={page > 1 ? hrefOf(page - 1) : null} label="上一页">
        <ChevronLeft aria-hidden="true" className="size-4" />
      </PreviousOrNextLink>
      {paginationItems(page, last).map((at) =>
        typeof at === 'string' ? (
          <span key={at} className={`${box} text-ink-2`}>
            …
          </span>
        ) : (
          <Link
            key={at}
            to={hrefOf(at)}
            aria-current={at === page ? 'page' : undefined}
            className={`${box} hover:bg-bean-soft hover:text-bean aria-[current]:bg-bean aria-[current]:text-on-bean`}
          >
            {at}
          </Link>
        ),
      )}
      <PreviousOrNextLink to={page < last ? hrefOf(page + 1) : null} label="下一页">
        <ChevronRight aria-hidden="true" className="size-4" />
      </PreviousOrNextLink>
    </nav>
  );
}
