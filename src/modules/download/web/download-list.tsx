import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { CompactDocumentItem } from '#modules/document/web/compact-document-item.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { downloadApi } from '../download.contract.ts';

const PAGE_SIZE = 15;
type Download = OutputOf<typeof downloadApi.list>['download'][number];

/** Downloads of the logged-in user, newest first. */
export function DownloadList({ page, hrefOf }: { page: number; hrefOf: (page: number) => string }) {
  const downloadsQuery = useQueryPerUser(downloadApi.list, { page, size: PAGE_SIZE });
  if (!downloadsQuery.data) return <ListPlaceholder query={downloadsQuery} />;
  const { download, total } = downloadsQuery.data;
  if (total === 0)
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="还没有下载过文档"
        action={<ButtonLink to="/category">去看看文档</ButtonLink>}
      >
        下载和购买过的文档会记在这里。
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="我的下载" className="divide-y divide-line">
        {download.map((row) => (
          <DownloadItem key={row.id} {...row} />
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function DownloadItem({ document, price, is_pay, created_at }: Download) {
  const { timezone, credit_name } = useSettings().system;
  return (
    <CompactDocumentItem document={document} to={`/document/${document.id}`}>
      <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-ink-2">
        <span>{formatSize(document.size)}</span>
        <span>{is_pay ? `支付 ${price} ${credit_name}` : '免费'}</span>
        <time dateTime={created_at} title={formatDateTime(created_at, timezone)}>
          {relativeTime(created_at)}
        </time>
      </p>
    </CompactDocumentItem>
  );
}
