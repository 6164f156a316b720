import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { endpointQuery } from '#platform/web/api.ts';
import { copyKindNames, nearCopyApi } from '../near-copy.contract.ts';

/** Tells the owner of a document which other documents have nearly the same text. */
export function NearCopiesNotice({ documentId }: { documentId: number }) {
  const { data } = useQuery(endpointQuery(nearCopyApi.list, { id: [documentId] }));
  const copies = data?.document[0]?.copy ?? [];
  if (copies.length === 0) return null;
  return (
    <section aria-label="相近的文档" className="rounded-md bg-amber-soft px-3.5 py-2.5 text-14 text-amber">
      <p>站内有内容相近的文档。与更早上传的公开文档几乎相同，或包含在其中的，不发上传奖励：</p>
      <ul className="mt-1 grid gap-1">
        {copies.map(({ id, title, kind, share }) => (
          <li key={id}>
            <Link to={`/document/${id}`} className="underline underline-offset-4">
              {title}
            </Link>
            {`（${copyKindNames[kind]}，${share}%）`}
          </li>
        ))}
      </ul>
    </section>
  );
}
