import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { formatSize } from '#platform/contract/file-size.ts';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { QueuedDocumentCell, QueueFigures, QueueSection } from '#platform/web/admin/queue-section.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { RelativeTimeCell, textCell } from '#platform/web/admin/table-cells.tsx';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { manageDocumentApi, type QueueItem } from '../../manage.contract.ts';
import { useDocumentActions } from './use-document-actions.ts';

const POLL_INTERVAL_MS = 3_000;

/** Files that are converted, wait or failed. */
export function ConversionQueue() {
  const result = useQuery({
    queryKey: queryKeyOf(manageDocumentApi.queue, {}),
    queryFn: (context) => pollEndpoint(manageDocumentApi.queue, {}, context),
    refetchInterval: POLL_INTERVAL_MS,
  });
  const { data, isPending, refetch } = result;
  const actions = useDocumentActions(() => refetch());
  const { totals } = data ?? {};
  const stats = [
    { label: '正在转换', value: (totals?.converting ?? 0) + (totals?.readable ?? 0) },
    { label: '等待转换', value: totals?.waiting ?? 0 },
    { label: '转换失败', value: totals?.failed ?? 0 },
    { label: '每分钟完成', value: data?.per_minute ?? 0 },
  ];
  const table = (rows: QueueItem[] | undefined, emptyText: string, extraColumns: typeof columns) => (
    <DataTable<QueueItem>
      rows={rows}
      // Polled every few seconds: only the first load shows a loading state.
      result={{ ...result, data: undefined, isFetching: isPending }}
      emptyText={emptyText}
      columns={[...columns, ...extraColumns]}
    />
  );
  return (
    <>
      <QueueFigures figures={stats} />
      <QueueSection title="正在转换" listedCount={data?.running.length} total={stats[0]?.value}>
        {table(data?.running, '没有正在转换的文件', [progressColumn, changedColumn])}
      </QueueSection>
      <QueueSection title="等待转换" listedCount={data?.waiting.length} total={stats[1]?.value}>
        {table(data?.waiting, '没有等待转换的文件', [reasonColumn, changedColumn])}
      </QueueSection>
      <QueueSection
        title="转换失败"
        listedCount={data?.failed.length}
        total={stats[2]?.value}
        action={
          <ActionButton
            calls={[manageDocumentApi.reconvert]}
            disabled={!totals?.failed}
            onClick={() => actions.reconvert()}
          >
            失败重转
          </ActionButton>
        }
      >
        {table(data?.failed, '没有转换失败的文件', [
          reasonColumn,
          { title: '尝试次数', dataIndex: 'attempts', width: 96 },
          changedColumn,
          actionsColumn(
            2,
            ({ document }: QueueItem) => [
              {
                label: '重新转换',
                calls: [manageDocumentApi.reconvert],
                disabled: document.length === 0,
                onClick: () => document[0] && actions.reconvertOne(document[0].id),
              },
            ],
            { nameOf: ({ id }) => `文件 ${id}` },
          ),
        ])}
      </QueueSection>
    </>
  );
}

type Column = NonNullable<React.ComponentProps<typeof DataTable<QueueItem>>['columns']>[number];

const columns: Column[] = [
  {
    title: '文档',
    key: 'document',
    render: (_, { document, upload }) =>
      upload ? `${upload.name}（还没有发布）` : <QueuedDocumentCell documents={document} />,
  },
  {
    title: '上传者',
    key: 'username',
    render: (_, { document: [first], upload }) => textCell(first?.username ?? upload?.username ?? ''),
  },
  { title: '格式', dataIndex: 'format', width: 88 },
  { title: '大小', dataIndex: 'size', width: 112, render: formatSize },
];
const progressColumn: Column = {
  title: '进度',
  key: 'progress',
  width: 200,
  render: (_, { pages, ready_pages }) =>
    pages > 0 ? (
      <Progress
        percent={Math.round((ready_pages / pages) * 100)}
        size="small"
        format={() => `${ready_pages}/${pages} 页`}
      />
    ) : (
      '正在打开文件'
    ),
};
const reasonColumn: Column = {
  title: '原因',
  dataIndex: 'reason',
  render: (reason) => textCell(reason),
};
const changedColumn: Column = {
  title: '更新时间',
  dataIndex: 'updated_at',
  width: 120,
  render: (at) => <RelativeTimeCell at={at} />,
};
