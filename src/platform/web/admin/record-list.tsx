import { Button, Space, type TableProps } from 'antd';
import { type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import type { ids } from '#platform/contract/shapes.ts';
import { RowButton, updatedColumn } from './cells.tsx';
import { DataTable } from './data-table.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import type { ListState } from './list-state.ts';
import { useChange, useConfirm } from './use-change.ts';

type Row = { id: number; updated_at: string };
type RemoveEndpoint = Endpoint & { input: z.ZodMiniObject<{ id: typeof ids }> };

type Props<T extends Row> = {
  /** What a row is, as the buttons and questions say it: 横幅, counted in 张. */
  noun: string;
  measure: string;
  nameOf: (row: T) => string | number;
  result: { isFetching: boolean; error: Error | null; refetch: () => unknown };
  rows: T[] | undefined;
  total?: number;
  list: ListState;
  /** A list that is had whole has no pages. */
  whole?: boolean;
  filters?: Filter[];
  /** Between them and the actions stands when a row was last changed. */
  columns: NonNullable<TableProps<T>['columns']>;
  expandable?: TableProps<T>['expandable'];
  emptyText: string;
  remove: RemoveEndpoint;
  reread: Endpoint;
  /** What else a deletion does, as a sentence. */
  warning?: string;
  onAdd: () => void;
  onEdit: (row: T) => void;
  /** Before 编辑 and 删除. */
  moreActions?: (row: T) => ReactNode;
};

/** Records that are added, edited and removed: filters and actions above, the table below. */
export function RecordList<T extends Row>(props: Props<T>) {
  const { noun, measure, nameOf, result, list, onEdit, moreActions } = props;
  const [selected, setSelected] = useState<number[]>([]);
  const confirm = useConfirm();
  const remove = useChange(props.remove, { success: '删除成功', onDone: () => setSelected([]) }, [
    props.reread,
  ]);
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复。${props.warning ?? ''}`, () =>
      remove.mutateAsync({ id }),
    );
  const actions = (row: T) => (
    <Space>
      {moreActions?.(row)}
      <RowButton onClick={() => onEdit(row)}>编辑</RowButton>
      <RowButton danger onClick={() => askRemove([row.id], `${noun}“${nameOf(row)}”`)}>
        删除
      </RowButton>
    </Space>
  );

  return (
    <>
      <FilterBar list={list} filters={props.filters}>
        <Button
          danger
          disabled={selected.length === 0}
          onClick={() => askRemove(selected, `选中的 ${selected.length} ${measure}${noun}`)}
        >
          批量删除
        </Button>
        <Button type="primary" onClick={props.onAdd}>
          新增{noun}
        </Button>
      </FilterBar>
      <DataTable<T>
        rows={props.rows}
        total={props.total}
        loading={result.isFetching}
        error={result.error}
        onRetry={result.refetch}
        list={props.whole ? undefined : list}
        selected={selected}
        onSelect={setSelected}
        emptyText={props.emptyText}
        expandable={props.expandable}
        columns={[
          ...props.columns,
          updatedColumn,
          {
            title: '操作',
            key: 'actions',
            fixed: 'right',
            width: moreActions ? 200 : 132,
            render: (_, row) => actions(row),
          },
        ]}
      />
    </>
  );
}
