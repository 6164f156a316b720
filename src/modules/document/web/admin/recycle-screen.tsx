import type { TableProps } from 'antd';
import { useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import type { ListState } from '#platform/web/admin/list-state.ts';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn, type RowAction } from '#platform/web/admin/row-actions.tsx';
import { idColumn, RelativeTimeCell, selectOptionsOf } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { useAction } from '#platform/web/use-action.ts';
import { documentApi, documentStatuses } from '../../document.contract.ts';
import { type DeletedDocument, recycleApi } from '../../recycle.contract.ts';
import { CategoryField } from './category-field.tsx';
import { documentColumns, StatusCell, TitleCell, UserCell } from './document-cells.tsx';

const recycleColumns: NonNullable<TableProps<DeletedDocument>['columns']> = [
  idColumn,
  {
    title: '名称',
    key: 'title',
    render: (_, row) => <TitleCell row={row} linked={false} />,
  },
  {
    title: '上传者',
    dataIndex: 'username',
    render: (name, { user_id }) => <UserCell id={user_id} name={name} />,
  },
  {
    title: '删除者',
    dataIndex: 'deleted_username',
    render: (name, { deleted_user_id }) => <UserCell id={deleted_user_id} name={name} />,
  },
  {
    title: '删除时间',
    dataIndex: 'deleted_at',
    key: 'deleted_at',
    sorter: true,
    render: (at) => <RelativeTimeCell at={at} />,
  },
  { title: '状态', key: 'status', render: (_, row) => <StatusCell row={row} /> },
  ...documentColumns,
];

export function RecycleScreen() {
  const { list, result, data } = useAdminList(recycleApi.list, ({ status, category_id }) => ({
    status: status?.map(Number),
    category_id: category_id?.map(Number),
  }));
  const [selectedIds, setSelectedIds] = useState<number[]>([]);
  // Ignores selected rows that are no longer listed.
  const visibleSelectedIds = selectedIds.filter((id) => data?.document.some((row) => row.id === id));
  const actions = useRecycleActions(() => setSelectedIds([]));
  const actionsOf = (row: DeletedDocument): RowAction[] => [
    { label: '恢复', calls: [recycleApi.restore], onClick: () => actions.restore([row.id]) },
    {
      label: '删除',
      calls: [recycleApi.erase],
      danger: true,
      onClick: () => actions.confirmErase([row.id], `文档《${row.title}》`),
    },
  ];

  return (
    <>
      <FilterBar
        list={list}
        filters={[{ name: 'status', label: '状态', multiple: true, options: selectOptionsOf(documentStatuses) }]}
        more={<CategoryFilter list={list} />}
      >
        <BulkButtons ids={visibleSelectedIds} actions={actions} hasRows={(data?.total ?? 0) > 0} />
      </FilterBar>
      <DataTable<DeletedDocument>
        rows={data?.document}
        result={result}
        list={list}
        selection={{
          selected: visibleSelectedIds,
          onSelect: setSelectedIds,
          bulkCalls: [recycleApi.restore, recycleApi.erase],
        }}
        emptyText="回收站是空的"
        columns={[...recycleColumns, actionsColumn(2, actionsOf, { nameOf: ({ title }) => title })]}
      />
    </>
  );
}

/** `onDone` is called after a change. */
function useRecycleActions(onDone: () => void) {
  const invalidates = [recycleApi.list, documentApi.list];
  const restore = useAction(recycleApi.restore, { success: '恢复成功', onDone, invalidates });
  const erase = useAction(recycleApi.erase, { success: '删除成功', onDone, invalidates });
  const clear = useAction(recycleApi.clear, { success: '回收站已清空', onDone, invalidates });
  const confirm = useConfirm();
  const confirmErase = (id: number[], description: string) =>
    confirm(`${description}及其文件将被彻底删除，不可恢复。确定吗？`, () => erase.run({ id }), {
      title: '风险提示',
    });
  const confirmClear = () =>
    confirm('回收站中的全部文档及其文件将被彻底删除，不可恢复。确定吗？', () => clear.run({}), {
      title: '风险提示',
    });
  const restoreDocuments = (id: number[]) => restore.run({ id });
  return {
    restore: restoreDocuments,
    confirmRestore: (id: number[], description: string) =>
      confirm(`您确定要恢复${description}吗？`, () => restoreDocuments(id), { isDestructive: false }),
    confirmErase,
    confirmClear,
  };
}

function CategoryFilter({ list: { filters, change } }: { list: ListState }) {
  return (
    <CategoryField
      width={160}
      value={filters.category_id?.[0] ? Number(filters.category_id[0]) : undefined}
      onChange={(id) => change({ filters: { ...filters, category_id: id ? [String(id)] : [] } })}
    />
  );
}

type BulkButtonsProps = { ids: number[]; actions: ReturnType<typeof useRecycleActions>; hasRows: boolean };

function BulkButtons({ ids, actions, hasRows }: BulkButtonsProps) {
  const isSelectionEmpty = ids.length === 0;
  const selectionText = `选中的 ${ids.length} 篇文档`;
  return (
    <>
      <ActionButton
        type="primary"
        calls={[recycleApi.restore]}
        disabled={isSelectionEmpty}
        onClick={() => actions.confirmRestore(ids, selectionText)}
      >
        恢复选中
      </ActionButton>
      <ActionButton
        danger
        calls={[recycleApi.erase]}
        disabled={isSelectionEmpty}
        onClick={() => actions.confirmErase(ids, selectionText)}
      >
        删除选中
      </ActionButton>
      <ActionButton
        danger
        calls={[recycleApi.clear]}
        disabled={!isSelectionEmpty || !hasRows}
        onClick={actions.confirmClear}
      >
        清空回收站
      </ActionButton>
    </>
  );
}
