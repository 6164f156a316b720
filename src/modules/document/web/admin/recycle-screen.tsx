import { useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, RelativeTimeCell, selectOptionsOf } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { useAction } from '#platform/web/use-action.ts';
import { documentApi, documentStatuses } from '../../document.contract.ts';
import { type DeletedDocument, recycleApi } from '../../recycle.contract.ts';
import { CategoryField } from './category-field.tsx';
import { documentColumns, StatusCell, TitleCell, UserCell } from './document-cells.tsx';

export function RecycleScreen() {
  const { list, result, data } = useAdminList(recycleApi.list, ({ status, category_id }) => ({
    status: status?.map(Number),
    category_id: category_id?.map(Number),
  }));
  const { filters } = list;
  const [selectedIds, setSelectedIds] = useState<number[]>([]);
  // Ignores selected rows that are no longer listed.
  const visibleSelectedIds = selectedIds.filter((id) => data?.document.some((row) => row.id === id));
  const onDone = () => setSelectedIds([]);
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
  const isSelectionEmpty = visibleSelectedIds.length === 0;
  const selectionText = `选中的 ${visibleSelectedIds.length} 篇文档`;

  return (
    <>
      <FilterBar
        list={list}
        filters={[
          {
            name: 'status',
            label: '状态',
            multiple: true,
            options: selectOptionsOf(documentStatuses),
          },
        ]}
        more={
          <CategoryField
            width={160}
            value={filters.category_id?.[0] ? Number(filters.category_id[0]) : undefined}
            onChange={(id) => list.change({ filters: { ...filters, category_id: id ? [String(id)] : [] } })}
          />
        }
      >
        <ActionButton
          type="primary"
          calls={[recycleApi.restore]}
          disabled={isSelectionEmpty}
          onClick={() =>
            confirm(`您确定要恢复${selectionText}吗？`, () => restore.run({ id: visibleSelectedIds }), {
              isDestructive: false,
            })
          }
        >
          恢复选中
        </ActionButton>
        <ActionButton
          danger
          calls={[recycleApi.erase]}
          disabled={isSelectionEmpty}
          onClick={() => confirmErase(visibleSelectedIds, selectionText)}
        >
          删除选中
        </ActionButton>
        <ActionButton
          danger
          calls={[recycleApi.clear]}
          disabled={!isSelectionEmpty || !data?.total}
          onClick={confirmClear}
        >
          清空回收站
        </ActionButton>
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
        columns={[
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
          actionsColumn(
            2,
            (row) => [
              {
                label: '恢复',
                calls: [recycleApi.restore],
                onClick: () => restore.run({ id: [row.id] }),
              },
              {
                label: '删除',
                calls: [recycleApi.erase],
                danger: true,
                onClick: () => confirmErase([row.id], `文档《${row.title}》`),
              },
            ],
            { nameOf: ({ title }) => title },
          ),
        ]}
      />
    </>
  );
}
