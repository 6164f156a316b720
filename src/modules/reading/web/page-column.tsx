import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { type ReadingPage, readingApi } from '../reading.contract.ts';

export type Reading = OutputOf<typeof readingApi.pages>;
export const PAGES_AT_ONCE = 5;
const PENDING_MS = 1_500;

/** The readable pages one below the other; more come as one reads on. */
export function PageColumn({ id, first, reader }: { id: number; first: Reading; reader: number }) {
  const input = (page: number) => ({ id, page, size: PAGES_AT_ONCE });
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    // Who reads decides how much may be read.
    queryKey: [...keyOf(readingApi.pages, { id }), reader, first.ready_pages > 0],
    queryFn: ({ pageParam, signal }) =>
      call(readingApi.pages, input(pageParam), { signal, quiet: true }),
    initialPageParam: 1,
    ...(first.page.length > 0 && { initialData: { pages: [first], pageParams: [1] } }),
    getNextPageParam: ({ readable, page }) => {
      const last = page.at(-1)?.page ?? 0;
      return last > 0 && last < readable ? last + 1 : undefined;
    },
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ page }) => page.some(({ pending }) => pending))
        ? PENDING_MS
        : false,
  });
  const more = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = more.current;
    if (!target || !hasNextPage || isFetchingNextPage) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void fetchNextPage(),
      { rootMargin: '1200px' },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const shown = data?.pages ?? [];
  const { view = first.view, pages = first.pages, readable = first.readable } = shown.at(-1) ?? {};
  return (
    <>
      <ol className="grid gap-4" aria-label="文档页面">
        {shown
          .flatMap(({ page }) => page)
          .map((page) => (
            <li key={page.page} id={`p${page.page}`}>
              {view === 'pages' ? <Picture page={page} /> : <Section page={page} view={view} />}
            </li>
          ))}
      </ol>
      <div ref={more} className="h-px" />
      {isFetchingNextPage ? <p className="py-6 text-center text-13 text-ink-2">正在加载</p> : null}
      {!hasNextPage && pages > readable && readable > 0 ? (
        <p className="py-8 text-center text-14 text-ink-2">{`试读到此为止，全文共 ${pages} 页，可试读 ${readable} 页`}</p>
      ) : null}
    </>
  );
}

function Picture({ page: { page, url, width, height, pending } }: { page: ReadingPage }) {
  const ratio = width > 0 && height > 0 ? `${width} / ${height}` : '210 / 297';
  return (
    <div
      className="overflow-hidden rounded-sm border border-line bg-white"
      style={{ aspectRatio: ratio }}
    >
      {pending ? (
        <p className="grid h-full place-items-center text-14 text-ink-2">{`第 ${page} 页正在转换`}</p>
      ) : (
        <img
          src={url}
          width={width}
          height={height}
          alt={`第 ${page} 页`}
          loading={page <= 2 ? 'eager' : 'lazy'}
          decoding="async"
          className="block h-auto w-full"
        />
      )}
    </div>
  );
}

/** Texts were made safe on the server; the page's policy lets no script of theirs run either. */
function Section({ page, view }: { page: ReadingPage; view: string }) {
  if (view === 'sheet') return <Rows page={page} />;
  return (
    <div className="rounded-sm border border-line bg-surface px-5 py-6 md:px-12 md:py-10">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the workshop and tested there */}
      <div className="prose font-serif" dangerouslySetInnerHTML={{ __html: page.html }} />
    </div>
  );
}

function Rows({ page: { rows, from_row } }: { page: ReadingPage }) {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  return (
    <div className="overflow-x-auto rounded-sm border border-line bg-surface">
      <table className="w-full border-collapse text-13">
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place
            <tr key={index} className="border-b border-line last:border-0">
              <th
                scope="row"
                className="w-12 bg-sunken px-2 py-1.5 text-right font-normal text-ink-2 tabular-nums"
              >
                {from_row + index}
              </th>
              {Array.from({ length: columns }, (_, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity than their place
                <td key={column} className="border-l border-line px-3 py-1.5 whitespace-pre-line">
                  {row[column] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
