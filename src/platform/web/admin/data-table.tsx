import { Button, Result, Table, type TableProps } from 'antd';
import { useEffect, useRef } from 'react';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { useDevice } from '../device.ts';
import { useMinimumDisplay } from '../use-minimum-display.ts';
import { useDeselectHiddenRows } from './deselect-hidden-rows.ts';
import type { ListState } from './list-state.ts';
import { useMayCall } from './permission.tsx';
import { isColumnNeeded, narrowActionsColumn } from './row-actions.tsx';

type Row = { id: number };
/** The parts of a query result that the table needs. */
export type ListResult = {
  data: { total?: number } | undefined;
  isFetching: boolean;
  error: Error | null;
  refetch: () => unknown;
};

type Selection = {
  selected: number[];
  onSelect: (ids: number[]) => void;
  /** The endpoints of the bulk actions; rows cannot be selected unless the user may call one of them. */
  bulkCalls: readonly Endpoint[];
};

type Props<T extends Row> = {
  rows: T[] | undefined;
  result: ListResult;
  columns: NonNullable<TableProps<T>['columns']>;
  /** Sorting and paging in the URL; omit it for a table without both. */
  list?: ListState;
  /** Shows no pagination. */
  unpaged?: boolean;
  selection?: Selection;
  emptyText?: string;
  expandable?: TableProps<T>['expandable'];
};

/** Fixes two antd defects: its hidden measuring rows can get focus, its scroll containers cannot. */
function useAccessibleTable() {
  const containerRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const row of containerRef.current?.querySelectorAll<HTMLElement>('.ant-table-measure-row') ?? [])
      row.inert = true;
    for (const area of containerRef.current?.querySelectorAll<HTMLElement>('.ant-table-body, .ant-table-content') ?? [])
      area.tabIndex = 0;
  });
  return containerRef;
}

/** Shows the order from the URL in the column header. */
function withSortOrder<C extends { key?: unknown; dataIndex?: unknown; sorter?: unknown }>(
  order: string | undefined,
  column: C,
): C {
  if (!column.sorter) return column;
  const [name, direction] = order?.split(' ') ?? [];
  const isSortedColumn = name === String(column.key ?? column.dataIndex);
  return { ...column, sortOrder: isSortedColumn ? (direction === 'asc' ? 'ascend' : 'descend') : null };
}

/** Table of the list screens with paging in the URL, row selection and a retry button after an error. */
export function DataTable<T extends Row>(props: Props<T>) {
  const { rows, result, list } = props;
  const mayCall = useMayCall();
  const selection = props.selection?.bulkCalls.some(mayCall) ? props.selection : undefined;
  const columns = props.columns
    .filter((column) => isColumnNeeded(column, rows ?? [], mayCall))
    .map((column) => withSortOrder(list?.order, column));
  const containerRef = useAccessibleTable();
  useDeselectHiddenRows(rows, selection?.selected, selection?.onSelect);
  const isMobile = useDevice((device) => device.isMobile);
  const isLoading = useMinimumDisplay(result.isFetching);
  if (result.error)
    return (
      <Result
        status="warning"
        title="列表加载失败"
        subTitle={result.error.message}
        extra={<Button onClick={() => result.refetch()}>重试</Button>}
      />
    );
  return (
    <div ref={containerRef}>
      <Table<T>
        rowKey="id"
        size="middle"
        sticky={{ offsetHeader: 56 }}
        columns={isMobile ? columns.map(narrowActionsColumn) : columns}
        dataSource={rows ?? []}
        loading={isLoading}
        scroll={{ x: 'max-content' }}
        // No empty text while the list is loading.
        locale={{ emptyText: rows ? (props.emptyText ?? '暂无数据') : ' ' }}
        expandable={props.expandable}
        rowSelection={
          selection && {
            selectedRowKeys: selection.selected,
            onChange: (keys) => selection.onSelect(keys.map(Number)),
            getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }),
            getCheckboxProps: (row) => ({ 'aria-label': `选择第 ${row.id} 条` }),
          }
        }
        onChange={(_, __, sorter) => {
          const activeSorter = Array.isArray(sorter) ? sorter[0] : sorter;
          const column = activeSorter?.order ? String(activeSorter.columnKey ?? activeSorter.field) : undefined;
          const order = column && `${column} ${activeSorter?.order === 'ascend' ? 'asc' : 'desc'}`;
          if (order !== list?.order) list?.change({ order });
        }}
        pagination={
          list && !props.unpaged
            ? {
                current: list.page,
                pageSize: list.size,
                total: result.data?.total ?? 0,
                pageSizeOptions: [10, 20, 50, 100],
                showSizeChanger: true,
                showQuickJumper: true,
                showTotal: (count) => `共 ${count} 条`,
                onChange: (page, size) => list.change(size === list.size ? { page } : { size }),
              }
            : false
        }
      />
    </div>
  );
}
