import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { Cover } from '#modules/document/web/cover.tsx';
import { Price } from '#modules/document/web/price.tsx';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { relatedApi } from '../related.contract.ts';

export type RelatedResult = OutputOf<typeof relatedApi.list>;

/** `rendered` is the server-rendered list for a visitor; members may see more. */
export function RelatedDocuments({
  id,
  rendered,
  className = '',
}: {
  id: number;
  rendered?: RelatedResult;
  className?: string;
}) {
  const viewer = useUser()?.id ?? 0;
  const { data } = useQuery({
    queryKey: [...queryKeyOf(relatedApi.list, { id }), viewer],
    queryFn: ({ signal }) => callEndpoint(relatedApi.list, { id }, { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    placeholderData: rendered,
    staleTime: 300_000,
  });
  if (!data || data.document.length === 0) return null;
  return (
    <section aria-labelledby="related" className={`card p-5 ${className}`}>
      <h2 id="related" className="font-medium">
        相关文档
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {data.document.map((row) => (
          <li key={row.id}>
            <Link to={`/document/${row.id}`} className="group flex items-start gap-3 py-2.5">
              <span className="w-10 shrink-0">
                <Cover document={row} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="line-clamp-2 text-14 leading-[1.5] transition-colors group-hover:text-bean">
                  {row.title}
                </span>
                <span className="mt-0.5 flex gap-2 text-12 text-ink-2">
                  <Price price={row.price} />
                  {row.pages > 0 ? <span>{`${row.pages} 页`}</span> : null}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
