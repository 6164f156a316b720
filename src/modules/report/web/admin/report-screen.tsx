import { useQuery } from '@tanstack/react-query';
import { Button, Space, Tag } from 'antd';
import { useState } from 'react';
import { asBooleans, TimeCell, textCell } from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import {
  type Report,
  type ReportAction,
  type ReportReason,
  reportActions,
  reportApi,
  reportReasons,
} from '../../report.contract.ts';
import { HandleForm } from './handle-form.tsx';

const reread = [reportApi.list];

export function ReportScreen() {
  const list = useListState();
  const { filters } = list;
  const { data, isFetching, error, refetch } = useQuery(
    query(reportApi.list, {
      ...{ page: list.page, size: list.size, order: list.order, wd: filters.wd?.[0] },
      status: asBooleans(filters.status),
      reason: filters.reason?.map(Number),
      document_id: filters.document_id?.map(Number),
    }),
  );
  const [handling, setHandling] = useState<Report[] | null>(null);
  const [selected, setSelected] = useState<number[]>([]);
  const onDone = () => setSelected([]);
  const confirm = useConfirm();
  const remove = useChange(reportApi.remove, { success: '删除成功', onDone }, reread);
  const reopen = useChange(reportApi.update, { success: '更新成功' }, reread);
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复。`, () => remove.mutateAsync({ id }));
  const rows = data?.report;
  const waiting = rows?.filter(({ id, status }) => selected.includes(id) && !status) ?? [];

  return (
    <>
      <FilterBar
        list={list}
        filters={[
          {
            name: 'status',
            label: '状态',
            options: [
              { value: 'false', label: '未处理' },
              { value: 'true', label: '已处理' },
            ],
          },
          {
            name: 'reason',
            label: '举报原因',
            multiple: true,
            options: Object.entries(reportReasons).map(([value, label]) => ({ value, label })),
          },
        ]}
      >
        <Button type="primary" disabled={waiting.length === 0} onClick={() => setHandling(waiting)}>
          批量处理
        </Button>
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 条举报`)}
        >
          批量删除
        </Button>
      </FilterBar>
      <DataTable<Report>
        rows={rows}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        selected={selected}
        onSelect={setSelected}
        emptyText="没有举报"
        columns={[
          { title: 'ID', dataIndex: 'id', key: 'id', width: 72, sorter: true },
          {
            title: '状态',
            dataIndex: 'status',
            key: 'status',
            sorter: true,
            render: (handled: boolean, { action }) =>
              handled ? (
                <Tag color="success">{reportActions[action as ReportAction]}</Tag>
              ) : (
                <Tag color="warning">未处理</Tag>
              ),
          },
          {
            title: '文档',
            dataIndex: 'document_title',
            render: (title: string, { document_id }) =>
              document_id > 0 ? (
                <a
                  className="admin-clip"
                  href={`/document/${document_id}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {title}
                </a>
              ) : (
                textCell(`${title}（已清除）`)
              ),
          },
          {
            title: '举报原因',
            dataIndex: 'reason',
            key: 'reason',
            sorter: true,
            render: (reason: ReportReason) => reportReasons[reason],
          },
          { title: '补充说明', dataIndex: 'content', render: textCell },
          {
            title: '举报人',
            dataIndex: 'username',
            render: (name: string, { user_id }) => (
              <a href={`/user/${user_id}`} target="_blank" rel="noreferrer">
                {name}
              </a>
            ),
          },
          { title: '答复', dataIndex: 'remark', render: textCell },
          { title: '处理人', dataIndex: 'handler', render: textCell },
          {
            title: '举报时间',
            dataIndex: 'created_at',
            key: 'created_at',
            sorter: true,
            render: (at: string) => <TimeCell at={at} />,
          },
          {
            title: '操作',
            key: 'actions',
            fixed: 'right',
            width: 150,
            render: (_, row) => (
              <Space>
                {row.status ? (
                  <Button
                    type="link"
                    size="small"
                    onClick={() => reopen.mutate({ id: row.id, status: false })}
                  >
                    重新打开
                  </Button>
                ) : (
                  <Button type="link" size="small" onClick={() => setHandling([row])}>
                    处理
                  </Button>
                )}
                <Button
                  type="link"
                  size="small"
                  danger
                  onClick={() => askRemove([row.id], `对《${row.document_title}》的举报`)}
                >
                  删除
                </Button>
              </Space>
            ),
          },
        ]}
      />
      {handling ? (
        <HandleForm
          rows={handling}
          onClose={() => setHandling(null)}
          onDone={() => {
            setHandling(null);
            onDone();
          }}
        />
      ) : null}
    </>
  );
}
