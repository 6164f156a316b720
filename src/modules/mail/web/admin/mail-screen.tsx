import { useQuery } from '@tanstack/react-query';
import { Modal, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { formatDateTime } from '#platform/contract/format.ts';
import { RowButton, textCell } from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { query } from '#platform/web/api.ts';
import { type Mail, type MailStatus, mailApi, mailStatuses } from '../../mail.contract.ts';

const colors: Record<MailStatus, string> = {
  pending: 'processing',
  sent: 'success',
  failed: 'error',
  kept: 'warning',
};
const statusOptions = Object.entries(mailStatuses).map(([value, label]) => ({ value, label }));

export function MailScreen() {
  const list = useListState();
  const { data, isFetching, error, refetch } = useQuery(
    query(mailApi.list, {
      page: list.page,
      size: list.size,
      wd: list.filters.wd?.[0],
      status: list.filters.status as MailStatus[] | undefined,
    }),
  );
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <FilterBar
        list={list}
        filters={[{ name: 'status', label: '状态', options: statusOptions }]}
      />
      <DataTable<Mail>
        rows={data?.mail}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        emptyText="还没有邮件"
        columns={[
          { title: 'ID', dataIndex: 'id', width: 72 },
          { title: '收件人', dataIndex: 'to' },
          { title: '主题', dataIndex: 'subject' },
          {
            title: '状态',
            dataIndex: 'status',
            width: 104,
            render: (status: MailStatus) => (
              <Tag color={colors[status]}>{mailStatuses[status]}</Tag>
            ),
          },
          { title: '失败原因', dataIndex: 'error', render: textCell },
          {
            title: '时间',
            dataIndex: 'created_at',
            width: 172,
            render: (at) => formatDateTime(at),
          },
          {
            title: '操作',
            key: 'actions',
            fixed: 'right',
            width: 80,
            render: (_, { id }) => <RowButton onClick={() => setOpen(id)}>查看</RowButton>,
          },
        ]}
      />
      {open !== null && <MailDialog id={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function MailDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useQuery(query(mailApi.get, { id }));
  return (
    <Modal title={data?.subject ?? '邮件'} open footer={null} onCancel={onClose}>
      {data ? (
        <pre style={{ fontFamily: 'inherit', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {data.text}
        </pre>
      ) : (
        <Skeleton active />
      )}
    </Modal>
  );
}
