import { Alert, Skeleton } from 'antd';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { ScrollRegion } from '#platform/web/ui/scroll-region.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { findDifferentLines, linesOf, useTextPart } from './compared-text.ts';

type ComparedPageProps = { id: number; page: number };

/** The image of a page, if it has one. */
export function ComparedImage({ id, page }: ComparedPageProps) {
  const { data, error, isPending } = useQueryWithMinimumLoading(endpointQuery(readingApi.pages, { id, page, size: 1 }));
  if (error) return <Alert type="error" title={error.message} />;
  if (isPending) return <Skeleton active />;
  const url = data.page[0]?.url;
  if (!url) return <Alert type="info" title={`第 ${page} 页没有图片`} />;
  return <img src={url} alt={`第 ${page} 页`} style={{ width: '100%', border: '1px solid var(--line)' }} />;
}

/** The text of a page. Lines that the other document does not have around this page are marked. */
export function ComparedText({ id, otherId, page }: ComparedPageProps & { otherId: number }) {
  const { pages, error, isPending } = useTextPart(id, page);
  const { pages: otherPages } = useTextPart(otherId, page);
  if (error) return <Alert type="error" title={error.message} />;
  if (isPending) return <Skeleton active />;
  const textPage = pages?.find((each) => each.page === page);
  if (!textPage) return <Alert type="info" title={`没有第 ${page} 页`} />;
  const lines = linesOf(textPage);
  if (lines.length === 0) return <Alert type="info" title={`第 ${page} 页没有文字`} />;
  const differentLines = otherPages ? findDifferentLines(lines, otherPages) : new Set();
  return (
    <ScrollRegion label={`第 ${page} 页的文字`} style={{ maxHeight: '60vh', overflow: 'auto' }}>
      {[...lines.entries()].map(([index, line]) => (
        <p key={index}>{differentLines.has(line) ? <mark title="另一份的附近几页没有这段">{line}</mark> : line}</p>
      ))}
    </ScrollRegion>
  );
}
