import { Button, Result, Table, type TableProps } from 'antd';
import { useEffect, useRef } from 'react';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { useDevice } from '../device.ts';
import { useMinimumDisplay } from '../minimum-display.ts';
import type { ListState } from './list-state.ts';
import { useMayCall } from './permission.tsx';
import { isNeeded, onPhone } from './row-actions.tsx';
import { useShownSelection } from './visible-selection.ts';

type Row = { id: number };
/** What a query says of itself, with the total a list answers. */
export type ListResult = {
  data: { total?: number } | undefined;
  isFetching: boolean;
  error: Error | null;
  refetch: () => unknown;
};

/** Rows selected for bulk actions. */
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
  /** Without it nothing of the list is in the address. */
  list?: ListState;
  /** A list that is had whole has no pages. */
  whole?: boolean;
  selection?: Selection;
  emptyText?: string;
  expandable?: TableProps<T>['expandable'];
};

/** What antd leaves out: hidden measuring cells are not reachable, scrolling ones are by keyboard. */
function useReachableTable() {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const row of frame.current?.querySelectorAll<HTMLElement>('.ant-table-measure-row') ?? []) row.inert = true;
    for (const area of frame.current?.querySelectorAll<HTMLElement>('.ant-table-body, .ant-table-content') ?? [])
      area.tabIndex = 0;
  });
  return frame;
}

/** The order lives in the address: its column shows it also after a reload. */
function orderedBy<C extends { key?: unknown; dataIndex?: unknown; sorter?: unknown }>(
  order: string | undefined,
  column: C,
): C {
  if (!column.sorter) return column;
  const [name, direction] = order?.split(' ') ?? [];
  const isIts = name === String(column.key ?? column.dataIndex);
  return { ...column, sortOrder: isIts ? (direction === 'asc' ? 'ascend' : 'descend') : null };
}

/** The table of every list screen: paging in the address, selection, and a way out of an error. */
export function DataTable<T extends Row>(props: Props<T>) {
  const { rows, result, list } = props;
  const mayCall = useMayCall();
  const selection = props.selection?.bulkCalls.some(mayCall) ? props.selection : undefined;
  const columns = props.columns
    .filter((column) => isNeeded(column, rows ?? [], mayCall))
    .map((column) => orderedBy(list?.order, column));
  const frame = useReachableTable();
  useShownSelection(rows, selection?.selected, selection?.onSelect);
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
    <div ref={frame}>
      <Table<T>
        rowKey="id"
        size="middle"
        sticky={{ offsetHeader: 56 }}
        columns={isMobile ? columns.map(onPhone) : columns}
        dataSource={rows ?? []}
        loading={isLoading}
        scroll={{ x: 'max-content' }}
        // Nothing is said of a list that is still on its way.
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
          const one = Array.isArray(sorter) ? sorter[0] : sorter;
          const column = one?.order ? String(one.columnKey ?? one.field) : undefined;
          const order = column && `${column} ${one?.order === 'ascend' ? 'asc' : 'desc'}`;
          if (order !== list?.order) list?.change({ order });
        }}
        pagination={
          list && !props.whole
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
