import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { CompactDocumentItem } from '#modules/document/web/compact-document-item.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { useLastPageRedirect } from '#platform/web/last-page-redirect.ts';
import { Button, ButtonLink, IconButton } from '#platform/web/ui/button.tsx';
import { ConfirmDialog } from '#platform/web/ui/confirm-dialog.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type HistoryItem, positionApi } from '../position.contract.ts';
import { resumeHref } from './continue-reading.tsx';
import { ReadingProgress } from './reading-progress.tsx';

const PAGE_SIZE = 15;

export function ReadingHistory({ page, hrefOf }: { page: number; hrefOf: (page: number) => string }) {
  const query = useQueryPerUser(positionApi.history, { page, size: PAGE_SIZE });
  const [isClearing, setIsClearing] = useState(false);
  const deletion = useAction(positionApi.deleteHistory, {
    success: (_, { all }) => (all ? '已清空' : '已删除'),
    failure: '删除失败',
    invalidates: [positionApi.history],
    invalidatesAfterFailure: true,
  });
  const isPast = useLastPageRedirect(
    query.data && { total: query.data.total, count: query.data.history.length },
    { page, size: PAGE_SIZE },
    hrefOf,
  );
  if (!query.data || isPast) return <ListPlaceholder query={query} />;
  const { history, total } = query.data;
  if (total === 0) return <EmptyHistory />;
  return (
    <>
      <div className="flex items-center justify-between gap-3 border-b border-line pb-3 text-14 text-ink-2">
        <p>{`共 ${total} 篇`}</p>
        <Button variant="outline" onClick={() => setIsClearing(true)}>
          清空
        </Button>
      </div>
      <ul aria-label="阅读历史" className="divide-y divide-line">
        {history.map((item) => (
          <HistoryRow key={item.document.id} item={item} onDelete={() => deletion.run({ id: [item.document.id] })} />
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={PAGE_SIZE} hrefOf={hrefOf} />
      </div>
      {isClearing ? (
        <ConfirmDialog
          title="清空阅读历史"
          action="确定清空"
          onConfirm={() => deletion.run({ all: true })}
          onClose={() => setIsClearing(false)}
        >
          <p>您确定要清空阅读历史吗？</p>
          <p className="mt-2 text-14 text-ink-2">读到的位置也会忘记，清空后不能恢复。</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const EmptyHistory = () => (
  <EmptyState
    picture={<EmptyShelfIllustration />}
    title="还没有阅读记录"
    action={<ButtonLink to="/category">去看看文档</ButtonLink>}
  >
    读过的文档会记在这里，换一台设备也能接着读。
  </EmptyState>
);

function HistoryRow({ item, onDelete }: { item: HistoryItem; onDelete: () => void }) {
  const { timezone } = useSettings().system;
  const { document, page, progress, read_at } = item;
  return (
    <CompactDocumentItem
      document={document}
      to={resumeHref(item)}
      action={
        <IconButton label={`从历史中删除《${document.title}》`} className="text-ink-2" onClick={onDelete}>
          <Trash2 aria-hidden="true" className="size-4.5" />
        </IconButton>
      }
    >
      <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-ink-2">
        <span>{`读到第 ${page} 页，共 ${document.pages} 页`}</span>
        <time dateTime={read_at} title={formatDateTime(read_at, timezone)}>
          {relativeTime(read_at)}
        </time>
      </p>
      <div className="max-w-60">
        <ReadingProgress percent={progress} />
      </div>
    </CompactDocumentItem>
  );
}
