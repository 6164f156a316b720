import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { localStorageOptions } from '#platform/web/browser-storage.ts';
import { describeSimilarity, isRedundant, nearCopyApi } from '../near-copy.contract.ts';

/** Ids of the copies, by document, about which the owner does not want to be told again. */
const useDismissedCopies = create<{ ids: Record<number, number[]> }>()(
  persist(() => ({ ids: {} }), localStorageOptions('dismissed-copies')),
);

const dismiss = (documentId: number, copyIds: number[]) =>
  useDismissedCopies.setState(({ ids }) => ({ ids: { ...ids, [documentId]: copyIds } }));

/** Tells the owner of a document which other documents have nearly the same text, until the owner closes the notice. */
export function NearCopiesNotice({ documentId }: { documentId: number }) {
  const { system } = useSettings();
  const { data } = useQuery(endpointQuery(nearCopyApi.list, { id: [documentId] }));
  const dismissedIds = useDismissedCopies(({ ids }) => ids[documentId]) ?? [];
  const copies = data?.document[0]?.copy ?? [];
  if (copies.every(({ id }) => dismissedIds.includes(id))) return null;
  const hasOriginal = copies.some(({ id, kind }) => id < documentId && isRedundant(kind));
  return (
    <section aria-label="相近的文档" className="rounded-md bg-amber-soft px-3.5 py-2.5 text-14 text-amber">
      <div className="flex items-start justify-between gap-4">
        <p>
          站内有内容相近的文档
          {hasOriginal ? '。与更早上传的公开文档几乎相同，或包含在其中的，不发上传奖励：' : '：'}
        </p>
        <button
          type="button"
          className="shrink-0 rounded-sm hover:underline"
          onClick={() =>
            dismiss(
              documentId,
              copies.map(({ id }) => id),
            )
          }
        >
          知道了
        </button>
      </div>
      <ul className="mt-1 grid gap-1">
        {copies.map(({ id, title, username, created_at, ...similarity }) => (
          <li key={id}>
            <Link to={`/document/${id}`} className="underline underline-offset-4">
              {title}
            </Link>
            {`（${describeSimilarity(similarity)}，${username} ${formatDate(created_at, system.timezone)} 上传）`}
          </li>
        ))}
      </ul>
    </section>
  );
}
