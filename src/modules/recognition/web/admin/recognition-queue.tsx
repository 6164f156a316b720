import { useQuery } from '@tanstack/react-query';
import { Alert, Progress } from 'antd';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { QueuedDocumentCell, QueueFigures, QueueSection } from '#platform/web/admin/queue-section.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { RelativeTimeCell, textCell } from '#platform/web/admin/table-cells.tsx';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useAction } from '#platform/web/use-action.ts';
import { type RecognitionQueueItem, recognitionApi } from '../../recognition.contract.ts';

const POLL_INTERVAL_MS = 5_000;

type Column = NonNullable<React.ComponentProps<typeof DataTable<RecognitionQueueItem>>['columns']>[number];

/** Documents whose scanned pages wait for text recognition, and those where it failed. */
export function RecognitionQueue() {
  const result = useQuery({
    queryKey: queryKeyOf(recognitionApi.queue, {}),
    queryFn: (context) => pollEndpoint(recognitionApi.queue, {}, context),
    refetchInterval: POLL_INTERVAL_MS,
  });
  const { data, isPending } = result;
  const retry = useAction(recognitionApi.retry, { success: '已加入识别队列', invalidates: [recognitionApi.queue] });
  const retryColumn = (label: string) =>
    actionsColumn(
      1,
      ({ id }: RecognitionQueueItem) => [
        { label, calls: [recognitionApi.retry], onClick: () => retry.run({ id: [id] }) },
      ],
      { nameOf: ({ id }) => `文件 ${id}` },
    );
  const table = (rows: RecognitionQueueItem[] | undefined, emptyText: string, extraColumns: Column[]) => (
    <DataTable<RecognitionQueueItem>
      rows={rows}
      // Polled every few seconds: only the first load shows a loading state.
      result={{ ...result, data: undefined, isFetching: isPending }}
      emptyText={emptyText}
      columns={[...columns, ...extraColumns]}
    />
  );
  const { totals, waiting = [], failed = [], obstacle = '' } = data ?? {};
  const hasObstacle = obstacle !== '' && (totals?.waiting ?? 0) > 0;
  return (
    <>
      <QueueFigures figures={figuresOf(data)} />
      {hasObstacle && <Alert type="warning" showIcon title={`暂时没有识别：${obstacle}`} />}
      <QueueSection title="等待识别文字" listedCount={waiting.length} total={totals?.waiting}>
        {table(data?.waiting, '没有等待识别的文件', [changedColumn])}
      </QueueSection>
      <QueueSection
        title="识别失败"
        listedCount={failed.length}
        total={totals?.failed}
        action={
          <ActionButton calls={[recognitionApi.retry]} disabled={!totals?.failed} onClick={() => retry.run({})}>
            全部重试
          </ActionButton>
        }
      >
        {table(data?.failed, '没有识别失败的文件', [reasonColumn, changedColumn, retryColumn('重新识别')])}
      </QueueSection>
    </>
  );
}

function figuresOf(queue: OutputOf<typeof recognitionApi.queue> | undefined) {
  const { totals, pages_today = 0, pages_per_day = 0 } = queue ?? {};
  return [
    { label: '等待识别的文件', value: totals?.waiting ?? 0 },
    { label: '等待识别的页', value: totals?.pages_left ?? 0 },
    { label: '识别失败', value: totals?.failed ?? 0 },
    { label: '今天识别的页', value: pages_per_day > 0 ? `${pages_today} / ${pages_per_day}` : pages_today },
  ];
}

const columns: Column[] = [
  { title: '文档', key: 'document', render: (_, { document }) => <QueuedDocumentCell documents={document} /> },
  {
    title: '上传者',
    key: 'username',
    render: (_, { document: [first] }) => textCell(first?.username ?? ''),
  },
  {
    title: '进度',
    key: 'progress',
    width: 240,
    render: (_, { pages, recognized, is_running }) =>
      pages > 0 ? (
        <Progress
          percent={Math.round((Math.min(recognized, pages) / pages) * 100)}
          status={is_running ? 'active' : 'normal'}
          size="small"
          format={() => `${Math.min(recognized, pages)}/${pages} 页`}
        />
      ) : (
        '还没有检查'
      ),
  },
];
const reasonColumn: Column = { title: '原因', dataIndex: 'reason', render: (reason) => textCell(reason) };
const changedColumn: Column = {
  title: '更新时间',
  dataIndex: 'updated_at',
  width: 120,
  render: (at) => <RelativeTimeCell at={at} />,
};
