import { Button, Modal, Result, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { emptyListText } from '#platform/web/admin/list-state.ts';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, SiteDateTime, selectOptionsOf, textCell } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { type Mail, type MailStatus, mailApi, mailStatuses } from '../../mail.contract.ts';

const colors: Record<MailStatus, string> = {
  pending: 'processing',
  sent: 'success',
  failed: 'error',
  kept: 'warning',
};
const statusOptions = selectOptionsOf(mailStatuses);

export function MailScreen() {
  const { list, result, data } = useAdminList(mailApi.list, ({ status }) => ({
    status: status as MailStatus[] | undefined,
  }));
  const [openMailId, setOpenMailId] = useState<number | null>(null);
  return (
    <>
      <FilterBar list={list} filters={[{ name: 'status', label: '状态', options: statusOptions }]} />
      <DataTable<Mail>
        rows={data?.mail}
        result={result}
        list={list}
        emptyText={emptyListText(list, '邮件')}
        columns={[
          idColumn,
          { title: '收件人', dataIndex: 'to', sorter: true },
          { title: '主题', dataIndex: 'subject', sorter: true },
          {
            title: '状态',
            dataIndex: 'status',
            width: 104,
            sorter: true,
            render: (status: MailStatus) => <Tag color={colors[status]}>{mailStatuses[status]}</Tag>,
          },
          { title: '失败原因', dataIndex: 'error', render: textCell },
          {
            title: '时间',
            dataIndex: 'created_at',
            width: 172,
            sorter: true,
            render: (at) => <SiteDateTime at={at} />,
          },
          actionsColumn(1, ({ id }) => [{ label: '查看', calls: [mailApi.get], onClick: () => setOpenMailId(id) }], {
            nameOf: ({ subject }) => subject,
          }),
        ]}
      />
      {openMailId !== null && <MailDialog id={openMailId} onClose={() => setOpenMailId(null)} />}
    </>
  );
}

function MailDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useQueryWithMinimumLoading(endpointQuery(mailApi.get, { id }));
  return (
    <Modal title={data?.subject ?? '邮件'} open footer={null} onCancel={onClose}>
      {data ? (
        <pre style={{ fontFamily: 'inherit', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{data.text}</pre>
      ) : error ? (
        <Result
          status="warning"
          title="邮件加载失败"
          subTitle={error.message}
          extra={<Button onClick={() => refetch()}>重试</Button>}
        />
      ) : (
        <Skeleton active />
      )}
    </Modal>
  );
}
