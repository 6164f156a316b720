import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { SentUpload } from '#modules/upload/web/upload-list-row.tsx';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import {
  describeSimilarity,
  MAX_COMPARED_UPLOADS,
  type NearCopyOfDocument,
  nearCopyApi,
  type UploadComparison,
} from '../near-copy.contract.ts';

const POLL_INTERVAL_MS = 2_000;
const MAX_SHOWN_COPIES = 3;

type Props = { attachmentId: number; sentUploads: readonly SentUpload[] };

/**
 * Conversion failure, and similar documents and files of the upload page, of a file that is not published. All rows of
 * the page share one request.
 */
export function UploadNearCopies({ attachmentId, sentUploads }: Props) {
  const ids = sentUploads.map(({ attachmentId: id }) => id);
  const comparison = useUploadComparisons(ids).find(({ id }) => id === attachmentId);
  if (!comparison) return null;
  const { reason, copy: copies, hidden_count: hiddenCount, upload: similarUploads } = comparison;
  const hiddenText = hiddenCount > 0 ? `有 ${hiddenCount} 份未公开的文档内容相近。` : '';
  const similarFiles = similarUploads.flatMap((similarUpload) => {
    const file = sentUploads.find(({ attachmentId: id }) => id === similarUpload.id);
    return file ? `与列表中的《${file.title}》${describeSimilarity(similarUpload)}` : [];
  });
  if (!reason && copies.length === 0 && !hiddenText && similarFiles.length === 0) return null;
  return (
    <div className="col-span-full grid gap-1 text-13 text-amber">
      {reason ? <p>{`转换失败：${reason}。仍可发布，之后可以在文档页处理。`}</p> : null}
      {copies.length > 0 ? <SimilarDocuments copies={copies} /> : null}
      {hiddenText ? <p>{hiddenText}</p> : null}
      {similarFiles.length > 0 ? <p>{similarFiles.slice(0, MAX_SHOWN_COPIES).join('；')}</p> : null}
    </div>
  );
}

function SimilarDocuments({ copies }: { copies: readonly NearCopyOfDocument[] }) {
  const otherCount = copies.length - MAX_SHOWN_COPIES;
  return (
    <section aria-label="相近的文档">
      <p>站内有内容相近的文档，仍可发布；与更早上传的公开文档几乎相同，或包含在其中的，不发上传奖励：</p>
      <ul>
        {copies.slice(0, MAX_SHOWN_COPIES).map(({ id, title, ...similarity }) => (
          <li key={id}>
            {`${describeSimilarity(similarity)}：`}
            <Link to={`/document/${id}`} target="_blank" className="underline underline-offset-4">
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {otherCount > 0 ? <p>{`还有 ${otherCount} 份`}</p> : null}
    </section>
  );
}

/** Asks for the files that are not compared yet, until all are. */
function useUploadComparisons(ids: readonly number[]): UploadComparison[] {
  const prefix = queryKeyOf(nearCopyApi.listOfUploads);
  const { data = [] } = useQuery({
    queryKey: [...prefix, ids],
    queryFn: async ({ signal, client, queryKey }): Promise<UploadComparison[]> => {
      const earlierResults = client.getQueriesData<UploadComparison[]>({ queryKey: prefix });
      const finalById = new Map(
        earlierResults
          .flatMap(([, rows]) => rows ?? [])
          .filter(({ is_final }) => is_final)
          .map((row): [number, UploadComparison] => [row.id, row]),
      );
      const openIds = ids.filter((id) => !finalById.has(id)).slice(0, MAX_COMPARED_UPLOADS);
      const finalRows = ids.flatMap((id) => finalById.get(id) ?? []);
      if (openIds.length === 0) return finalRows;
      const { upload } = await pollEndpoint(nearCopyApi.listOfUploads, { id: openIds }, { signal, client, queryKey });
      return [...finalRows, ...upload];
    },
    enabled: ids.length > 0,
    placeholderData: (previousRows) => previousRows,
    refetchInterval: ({ state }) =>
      ids.every((id) => state.data?.some((row) => row.id === id && row.is_final)) ? false : POLL_INTERVAL_MS,
  });
  return data;
}
