import { type TableProps, Tag } from 'antd';
import { useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn, type RowAction } from '#platform/web/admin/row-actions.tsx';
import {
  createdColumn,
  idColumn,
  NewTabLink,
  selectOptionsOf,
  textCell,
  toBooleans,
} from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useBulkDelete } from '#platform/web/admin/use-bulk-delete.tsx';
import { useAction } from '#platform/web/use-action.ts';
import {
  type Report,
  type ReportAction,
  type ReportReason,
  reportActions,
  reportApi,
  reportReasons,
} from '../../report.contract.ts';
import { HandleReportsForm } from './handle-reports-form.tsx';

const invalidates = [reportApi.list];

const reportColumns: NonNullable<TableProps<Report>['columns']> = [
  idColumn,
  {
    title: '状态',
    dataIndex: 'status',
    key: 'status',
    sorter: true,
    render: (isHandled: boolean, { action }) =>
      isHandled ? (
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
        <NewTabLink clip to={`/document/${document_id}`}>
          {title}
        </NewTabLink>
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
    render: (name: string, { user_id }) => <NewTabLink to={`/user/${user_id}`}>{name}</NewTabLink>,
  },
  { title: '答复', dataIndex: 'remark', render: textCell },
  { title: '处理人', dataIndex: 'handler', render: textCell },
  createdColumn('举报时间'),
];

const filters = [
  { name: 'status', label: '状态', options: selectOptionsOf({ false: '未处理', true: '已处理' }) },
  { name: 'reason', label: '举报原因', multiple: true, options: selectOptionsOf(reportReasons) },
];

const bulkDeleteOptions = {
  remove: reportApi.remove,
  invalidates,
  noun: '举报',
  measure: '条',
  otherBulkCalls: [reportApi.handle],
};

export function ReportScreen() {
  const { list, result, data } = useAdminList(reportApi.list, ({ status, reason, document_id }) => ({
    status: toBooleans(status),
    reason: reason?.map(Number),
    document_id: document_id?.map(Number),
  }));
  const [reportsInForm, setReportsInForm] = useState<Report[] | null>(null);
  const removal = useBulkDelete(bulkDeleteOptions);
  const { selected } = removal;
  const reopen = useAction(reportApi.update, { success: '更新成功', invalidates });
  const rows = data?.report;
  const actionsOf = (row: Report): RowAction[] => [
    row.status
      ? { label: '重新打开', calls: [reportApi.update], onClick: () => reopen.run({ id: row.id, status: false }) }
      : { label: '处理', calls: [reportApi.handle], onClick: () => setReportsInForm([row]) },
    {
      label: '删除',
      calls: [reportApi.remove],
      danger: true,
      onClick: () => removal.confirmDelete([row.id], `对《${row.document_title}》的举报`),
    },
  ];
  const selectedOpenReports = rows?.filter(({ id, status }) => selected.includes(id) && !status) ?? [];

  return (
    <>
      <FilterBar list={list} filters={filters}>
        <ActionButton
          type="primary"
          calls={[reportApi.handle]}
          disabled={selectedOpenReports.length === 0}
          onClick={() => setReportsInForm(selectedOpenReports)}
        >
          批量处理
        </ActionButton>
        {removal.bulkDeleteButton}
      </FilterBar>
      <DataTable<Report>
        rows={rows}
        result={result}
        list={list}
        selection={removal.selection}
        emptyText="没有举报"
        columns={[...reportColumns, actionsColumn(3, actionsOf, { nameOf: ({ id }) => `举报 ${id}` })]}
      />
      {reportsInForm ? (
        <HandleReportsForm
          rows={reportsInForm}
          onClose={() => setReportsInForm(null)}
          onDone={() => {
            setReportsInForm(null);
            removal.clearSelection();
          }}
        />
      ) : null}
    </>
  );
}
