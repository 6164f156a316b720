import type { TableProps } from 'antd';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { DataTable, type ListResult } from './data-table.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import type { ListState } from './list-state.ts';
import { ActionButton } from './permission.tsx';
import { actionsColumn, type RowAction } from './row-actions.tsx';
import { updatedColumn } from './table-cells.tsx';
import { type DeleteEndpoint, useBulkDelete } from './use-bulk-delete.tsx';

type Row = { id: number; updated_at: string };

type Props<T extends Row> = {
  /** Chinese noun for a row, such as 横幅; `measure` is its measure word, such as 张. */
  noun: string;
  measure: string;
  nameOf: (row: T) => string | number;
  result: ListResult;
  rows: T[] | undefined;
  list: ListState;
  /** Shows no pagination. */
  unpaged?: boolean;
  filters?: Filter[];
  /** The columns for the update time and the actions follow them. */
  columns: NonNullable<TableProps<T>['columns']>;
  expandable?: TableProps<T>['expandable'];
  emptyText: string;
  create: Endpoint;
  update: Endpoint;
  remove: DeleteEndpoint;
  invalidates: Endpoint;
  /** Further consequences of a deletion, as a sentence for the confirmation. */
  warning?: string | ((ids: number[]) => string);
  onAdd: () => void;
  onEdit: (row: T) => void;
  /** Shown before 编辑 and 删除. */
  moreActions?: (row: T) => RowAction[];
};

/** List screen of records that administrators add, edit and delete. */
export function RecordList<T extends Row>(props: Props<T>) {
  const { noun, nameOf, result, list, onEdit, moreActions, filters = [] } = props;
  const isFiltered = ['wd', ...filters.map(({ name }) => name)].some((name) => list.filters[name]);
  const removal = useBulkDelete({ ...props, invalidates: [props.invalidates] });
  const actions = (row: T): RowAction[] => [
    ...(moreActions?.(row) ?? []),
    { label: '编辑', calls: [props.update], onClick: () => onEdit(row) },
    {
      label: '删除',
      calls: [props.remove],
      danger: true,
      onClick: () => removal.confirmDelete([row.id], `${noun}“${nameOf(row)}”`),
    },
  ];

  return (
    <>
      <FilterBar list={list} filters={filters}>
        {removal.bulkDeleteButton}
        <ActionButton type="primary" calls={[props.create]} onClick={props.onAdd}>
          新增{noun}
        </ActionButton>
      </FilterBar>
      <DataTable<T>
        rows={props.rows}
        result={result}
        list={list}
        unpaged={props.unpaged}
        selection={removal.selection}
        emptyText={isFiltered ? `没有符合条件的${noun}` : props.emptyText}
        expandable={props.expandable}
        columns={[...props.columns, updatedColumn, actionsColumn(moreActions ? 4 : 2, actions, { nameOf })]}
      />
    </>
  );
}
