import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

type Gap = 'before' | 'after';

/** First, last, and what is around the current page, with the gaps before and after that. */
export function pagesAround(page: number, last: number): (number | Gap)[] {
  const near = [1, page - 1, page, page + 1, last].filter((at) => at >= 1 && at <= last);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return shown.flatMap((at, index) => {
    const before = shown[index - 1];
    if (before === undefined || at - before === 1) return [at];
    return at - before === 2 ? [at - 1, at] : [at < page ? 'before' : 'after', at];
  });
}

const box = 'grid h-10 min-w-10 place-items-center rounded-md px-2 text-14';

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
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
      <Step to={page > 1 ? hrefOf(page - 1) : null} label="上一页">
        <ChevronLeft aria-hidden="true" className="size-4" />
      </Step>
      {pagesAround(page, last).map((at) =>
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
      <Step to={page < last ? hrefOf(page + 1) : null} label="下一页">
        <ChevronRight aria-hidden="true" className="size-4" />
      </Step>
    </nav>
  );
}
